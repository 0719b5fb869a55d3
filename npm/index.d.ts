export * from "./js/element.js";

/** Registers <carousel-strip>. Its strips are those of the server at `server`, by default the page's own. */
export function define(server?: string | URL): void;

/** Sets the address of the server. Strips that request their next window use it. */
export function setServer(server: string | URL): void;

// Where this file came from: the server of the strips.

/** The folder that the server's files are in. */
export const SERVER = new URL("..", import.meta.url);

/** Where windows are asked for. */
export const WINDOW = new URL("window", SERVER);

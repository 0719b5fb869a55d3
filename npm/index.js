// <carousel-strip> for pages that bundle it.
import { cardTemplate } from "./js/cards/default-card.js";
import { defaultStyles } from "./js/cards/style-sheets.js";
import { CarouselStrip, plugins } from "./js/element/carousel-strip.js";
import { define as register } from "./js/element/define.js";
import { setServer } from "./js/server/requests.js";

export { CarouselStrip, plugins, plugins as behaviours, setServer };

/** Registers <carousel-strip>. Its strips are those of the server at `server`. */
export function define(server = location) {
  setServer(server);
  CarouselStrip.card ??= cardTemplate();
  register(defaultStyles);
}

// Registers <carousel-strip>.
import { CarouselStrip } from "./element.js";

customElements.define("carousel-strip", CarouselStrip);

// The whole <carousel-strip> for a page of any origin. It brings its style sheets and a default card.
//
//     <script type="module" src="https://strips.example/js/embed.js"></script>
//     <carousel-strip strip="albums" aria-label="Albums"></carousel-strip>
//
// If the page has a Content-Security-Policy, its script-src, connect-src and img-src must allow the strips' server.
import { cardTemplate, defaultStyles } from "./element/appearance.js";
import { CarouselStrip } from "./element/carousel-strip.js";
import { define } from "./element/define.js";

// Another bundle can have registered its own class.
(customElements.get("carousel-strip") ?? CarouselStrip).card = cardTemplate();
define(defaultStyles);

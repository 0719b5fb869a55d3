// The whole <carousel-strip> for a page of any origin. It brings its style sheets and a default card.
//
//     <script type="module" src="https://strips.example/js/embed.js"></script>
//     <carousel-strip strip="albums" aria-label="Albums"></carousel-strip>
//
// This script draws the first window of plain strips. The element itself follows.
// If the page has a Content-Security-Policy, its script-src, connect-src and img-src must allow the strips' server.
import { cardTemplate } from "./cards/default-card.js";
import { prepare } from "./element/first-window.js";
import { needsOptional } from "./element/optional-list.js";
import { retryUntilLoaded } from "./windows/server.js";

const defined = customElements.get("carousel-strip"); // by the page
if (defined) defined.card = cardTemplate();
const strips = [...document.querySelectorAll("carousel-strip:not(:defined)")];
strips.forEach(prepare);
retryUntilLoaded(() => import("./element/on-demand.js"));
if (strips.some(needsOptional)) import("./element/optional-on-demand.js").catch(() => {}); // at the same time. on-demand.js tries again

// The whole <carousel-strip> for a page of any origin. It brings its style sheets and a default card.
//
//     <script type="module" src="https://strips.example/js/embed.js"></script>
//     <carousel-strip strip="albums" aria-label="Albums"></carousel-strip>
//
// This script draws the first window of plain strips. on-demand.js then defines the element.
// If the page has a Content-Security-Policy, its script-src, connect-src and img-src must allow the strips' server.
import { cardTemplate } from "./cards/default-card.js";
import { defaultStyles } from "./cards/style-sheets.js";
import { addStubs, drawFirstWindow } from "./element/first-window.js";
import { needsOptional } from "./element/optional-list.js";
import { retryUntilLoaded } from "./server/retries.js";

const defined = customElements.get("carousel-strip"); // by a page that bundles the element
if (defined) defined.card = cardTemplate();
const strips = [...document.querySelectorAll("carousel-strip:not(:defined)")];
for (const strip of strips) {
  addStubs(strip);
  defaultStyles(strip);
  drawFirstWindow(strip);
}
retryUntilLoaded(() => import("./element/on-demand.js"));
if (strips.some(needsOptional)) import("./element/optional-on-demand.js").catch(() => {}); // beside on-demand.js, which tries again

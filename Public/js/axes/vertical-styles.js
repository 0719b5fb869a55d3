// The styles of a list, a grid and rows.
import { parentOf } from "../base/pixels.js";
import { loadSheet } from "../server/files.js";

/** The design of the parts: css/layouts.css. Until it is loaded, it hides the controls, which it places. */
export const DESIGN = new CSSStyleSheet();
DESIGN.replaceSync("[part=controls]{visibility:hidden}");
loadSheet(DESIGN, "layouts");

/** What scrolling and the width of the content need. A page can make the strip a block, which bounds its content by no row. */
export const RULES = `
  :host { grid-template-rows: minmax(0, 1fr) !important }
  :host > div { display: grid; grid-area: 1 / 1; grid-template: minmax(0, 1fr) auto / minmax(0, 1fr) auto; min-height: 0; height: 100%; max-height: inherit }
  :host > div > :is([part=viewport], [part=notice]) { grid-area: 1 / 1 }
  [part=controls] { grid-area: 1 / 2; box-sizing: border-box; width: 3.25rem; min-width: 0 }
  @media (width >= 40em) { :host([heading]) [part=controls]:has([part=scale]) { width: 8rem } }
  [part=viewport] { display: block !important; min-height: 0; margin: 0 !important; padding: 0 !important;
    overflow: hidden auto !important; overscroll-behavior-x: auto !important }
  ::slotted(ul) { margin: 0 !important; padding: 0 !important }
  [part=viewport][data-flow] { overflow: clip !important }`;

/** Gives headings and controls the background that the strip stands on, unless the page sets `--strip-paper`: its text has the color for it. */
export function matchBackground(strip) {
  const { style } = strip.viewport.parentNode;
  const isOwn = getComputedStyle(strip).getPropertyValue("--strip-paper").trim() !== "Canvas";
  let color;
  for (let node = strip; node && !color && !isOwn; node = parentOf(node)) {
    const { backgroundColor } = getComputedStyle(node);
    if (!/^rgba|\/|transparent/.test(backgroundColor)) color = backgroundColor; // an opaque one
  }
  style.setProperty("--strip-paper", color ?? "");
}

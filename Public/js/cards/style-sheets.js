// The default style sheets. What a strip needs before they are loaded is here.
import { loadSheet, clampRem } from "../server/files.js";

const sheets = {};

/**
 * The style sheet css/NAME.css. Until its promise `loaded` is fulfilled, its rules are `text`. Loading begins when the promise
 * `isReady` is fulfilled, or at once without one.
 */
function sheet(name, text, isReady) {
  if (!sheets[name]) {
    const made = (sheets[name] = new CSSStyleSheet());
    made.replaceSync(clampRem(text));
    made.loaded = loadSheet(made, name, isReady);
  }
  return sheets[name];
}

/** Adds style sheets to a tree, before its others. */
function adopt(root, ...added) {
  root.adoptedStyleSheets = [...new Set([...added, ...root.adoptedStyleSheets])];
}

/** Adds the style sheet of the parts. The controls are hidden until it is loaded. */
export function partStyles(strip) {
  const reserved = "[part=notice]{position:absolute;visibility:hidden;margin:0}[part=controls],[part=pause]{visibility:hidden;height:0;overflow:hidden}";
  adopt(strip.shadowRoot, sheet("controls", reserved));
}

/** Reserves the space of the elements that filter a strip, until their style sheet is loaded: heights and widths of filters.css. */
const RESERVED_FILTERS = `:host{display:block}
  :host(:is(carousel-facets:not([display=list]),carousel-filters)){min-height:calc(var(--strip-option,1.75rem) + 10px)}
  [part=options],[part=find],[part=chips],[part=range],[part=more],[part=all]{display:none!important}
  :host>div{display:flex;align-items:center;gap:.75rem;min-height:inherit}
  [part=facet]{display:flex;flex:0 1 auto;align-items:center;gap:.375rem;min-width:0;padding-block:4px}
  @media(width<=40em){[part=facet]{overflow:hidden;white-space:nowrap}}[role=search]{flex:0 1 100%;min-width:0}
  .alone{max-width:24rem}[part=result]{flex:1 0 8rem;width:8rem;margin-block:-1rem;visibility:hidden}[part=status]{margin:0}
  [part=search]{box-sizing:border-box;width:min(100%,24rem);height:calc(1lh + 1rem + 2px);visibility:hidden}[hidden]{display:none!important}`;

/** Adds the style sheet of the elements that filter a strip. A page that bundles them sets their server before it defines strips. */
export function filterStyles(element) {
  adopt(element.shadowRoot, sheet("filters", RESERVED_FILTERS, customElements.whenDefined("carousel-strip")));
}

/** Reserves the height of strips that have no style sheet yet, as strip.css does, and lets them scroll. In a grid, the page can bound the height of a layout. */
const RESERVED = `carousel-strip{display:grid;grid-template-columns:minmax(0,1fr);visibility:hidden}
  carousel-strip:not([layout]){height:calc(var(--height,180px) + 3.4rem + var(--controls-height,0px) + var(--group-height,0px) + 20px);overflow:hidden;
  &::part(viewport){overflow:auto}&[controls]{--controls-height:3.5rem}&:has(>.group){--group-height:2rem}
  @media (hover:hover) and (pointer:fine) and (width>40em){&[controls="previous next"]{--controls-height:0px}}}`;

/** Hides the content of cards that the server did not render: the style sheet moves the words of a page's own template, too. Cards can take the focus. */
const RESERVED_CARDS = "carousel-strip>ul>li:not([data-start])>*{visibility:hidden}";

/** Adds the default style sheets to the tree of a strip, for pages that do not link them. */
export function defaultStyles(strip) {
  const isLinked = getComputedStyle(strip).getPropertyValue("--turned"); // only strip.css sets it
  adopt(strip.getRootNode(), ...(isLinked ? [] : [sheet("strip", RESERVED)]), sheet("card", RESERVED_CARDS));
}

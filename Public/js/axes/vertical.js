// The axis of lists, grids and justified rows: y. The element loads this module when a strip has the attribute `layout`.
import { boxOf, parentOf, scaleOf, zoomOf } from "../base/pixels.js";
import { minBy } from "../windows/geometry.js";
import { followGroups } from "../windows/groups.js";
import { loadSheet, untilLoaded, withOwnRem } from "../windows/server.js";
import { Headings } from "./headings.js";
import { HorizontalAxis } from "./horizontal.js";

/** The longest scrollable content, in px. Browsers lay out as much at device pixel ratio 4, and store its scroll positions exactly. */
const MAX_LENGTH = 8_000_000;
/** Cards are placed from the multiple of this before them, in px: transforms are 32-bit floats. */
const BLOCK = 2 ** 17;
/** Vertical arrows step by a row. */
const ROWS = { ArrowUp: -1, ArrowDown: 1 };

/** The design of the parts: css/layouts.css. Until it is loaded, it hides the controls, which it places. */
const DESIGN = new CSSStyleSheet();
DESIGN.replaceSync("[part=controls]{visibility:hidden}");
loadSheet(DESIGN, "layouts");

/** What scrolling and the width of the content need. A page can make the strip a block, which bounds its content by no row. */
const RULES = `
  :host { grid-template-rows: minmax(0, 1fr) !important }
  :host > div { display: grid; grid-template: minmax(0, 1fr) auto / minmax(0, 1fr) auto; min-height: 0; height: 100%; max-height: inherit }
  :host > div > :is([part=viewport], [part=notice]) { grid-area: 1 / 1 }
  [part=controls] { grid-area: 1 / 2; box-sizing: border-box; width: 3.25rem; min-width: 0 }
  @media (width >= 40em) { :host([heading]) [part=controls]:has([part=scale]) { width: 8rem } }
  [part=viewport] { display: block !important; min-height: 0; margin: 0 !important; padding: 0 !important; overflow: hidden auto !important; overscroll-behavior-x: auto !important }
  ::slotted(ul) { margin: 0 !important; padding: 0 !important }
  [part=viewport][data-flow] { overflow: clip !important }`;

/**
 * How a list, a grid or rows scroll and place their cards: along y. The width of the content gives the items their sizes.
 * The strip scrolls itself if its height is bounded. Otherwise its nearest ancestor that scrolls does, or the page.
 */
class VerticalAxis {
  isVertical = true;
  parameter = "height";
  align = "nearest";
  /** The height of the viewport. */
  viewportSize = 0;
  #contentWidth = 0;
  #height; // of the list, in px. The text of its style has only six digits
  #measuredFor; // the view, and the size of the scroll container
  #measuredBesideBar; // those for which items need a scroll bar, but need none beside it
  #scrollContainer; // the viewport, or an ancestor that scrolls
  #spaceBefore = 0; // from the start of its content to the list
  #spaceAfter = 0; // from the list to its end
  #scale = 1; // px of the window in one of the list
  #scrollUnit = 1; // px of the scroll container in one of the list
  #scrollPadding = 0; // its `scroll-padding-top`
  #lastOffset = 0; // when it was drawn last
  #lastUnit;
  #arrowTarget; // the index and the center of the card that a vertical arrow led to
  #anchor; // the place of the item that stays while sizes change, and the offset then: {item, at, end, offset}
  #content = new ResizeObserver(() => this.#strip.requestDraw());
  #styles = new MutationObserver(() => this.#strip.requestDraw());
  #sheet = new CSSStyleSheet();
  #strip;
  #range;
  #headings;

  constructor(strip, range) {
    this.#strip = strip;
    this.#range = range;
    range.origin = 0;
    this.#sheet.replaceSync(withOwnRem(RULES));
    strip.shadowRoot.adoptedStyleSheets.push(this.#sheet, DESIGN);
    this.#headings = new Headings(strip);
    this.#list.style.removeProperty("width"); // that of a line
  }

  /** Undoes what the axis changed. */
  remove() {
    const { shadowRoot } = this.#strip;
    shadowRoot.adoptedStyleSheets = shadowRoot.adoptedStyleSheets.filter((sheet) => ![this.#sheet, DESIGN].includes(sheet));
    this.#strip.viewport.removeAttribute("data-flow");
    this.#headings.remove();
    this.#range.origin = 0;
    this.#range.unit = 1;
    this.#list.style.height = "";
    for (const { style } of this.#list.children) style.height = style.margin = style.insetBlockStart = style.scrollMarginBlockStart = "";
  }

  get query() {
    if (!this.#contentWidth) this.measure();
    const strip = this.#strip;
    const { layout, columns, column, row, cell, caption, heading } = strip;
    const line = this.#hasFullLines ? Math.max(1, this.viewportSize) : strip.line; // it can be closed
    return { layout, columns, column, row, line, cell, caption, heading, width: this.#contentWidth };
  }

  queryOf({ width }) {
    return { ...this.query, width };
  }

  /** Whether each line of a list is as high as the viewport. */
  get #hasFullLines() {
    return this.#strip.line === "100%";
  }

  /** Whether something else scrolls the strip. Nothing then snaps: the page has other content. */
  get isInFlow() {
    return this.#scrollContainer !== this.#strip.viewport;
  }

  get position() {
    this.track();
    return (this.#scrollContainer?.scrollTop ?? 0) / this.#scrollUnit;
  }

  scrollTo(position, behavior) {
    this.#scrollContainer.scrollTo({ top: position * this.#scrollUnit, behavior });
  }

  /** Calls `listener` when an ancestor scrolls the strip. Returns a function that stops what `on` does not. */
  listen(on, listener) {
    const strip = this.#strip;
    const isOurs = ({ target }) => (target.scrollingElement ?? target) === this.#scrollContainer;
    const roots = new Set([document]); // scrolling in a shadow root is not heard outside
    for (let node = strip; node; node = node.assignedSlot ?? node.parentNode ?? node.host) if (node instanceof ShadowRoot) roots.add(node);
    for (const target of roots) {
      on("scroll scrollend", (event) => isOurs(event) && listener(event), target, true);
    }
    on("resize", () => strip.requestDraw(), window);
    let hasGroups = false;
    let canPinch = false;
    on("layout", () => {
      this.#dropAnchorIfScrolled((this.#lastOffset = strip.offset));
      this.#lastUnit = this.#scrollUnit;
      this.#headings.draw(this.#spaceBefore, this.#range);
      if (!canPinch && strip.pinch) {
        canPinch = true;
        untilLoaded(() => import("./pinch.js")).then(({ pinch }) => pinch(strip));
      }
      if (hasGroups || strip.heading === null) return;
      hasGroups = true;
      followGroups(strip, on, (groups) => this.#headings.show(groups));
    });
    on("settle reload", () => matchPage(strip)); // a theme can change at any time
    this.#content.observe(document.body);
    on("transitionend animationend", () => strip.requestDraw(), document); // of a `transform`
    for (let node = parentOf(strip); node; node = parentOf(node)) this.#styles.observe(node, { attributeFilter: ["class", "style"] });
    return () => {
      for (const observer of [this.#content, this.#styles]) observer.disconnect();
    };
  }

  /** The server's first window has the sizes of the page if it has its width. */
  heightOf(meta) {
    return this.query.width === meta?.width ? meta.height : 0;
  }

  /** Finds what scrolls, and its size. If the width has changed, the strip reloads. */
  measure() {
    if (this.#contentWidth && paper.matches) return;
    const { viewport, meta } = this.#strip;
    const { style } = this.#list;
    const { height } = style;
    const former = this.#scrollContainer;
    const [viewportSize, before] = [this.viewportSize, this.#spaceBefore];
    const width = () => Math.floor((parseFloat(getComputedStyle(this.#list).width) || viewport.clientWidth) * 64) / 64;
    setHeight(style, `${MAX_LENGTH}px`); // taller than any bounded height
    this.#scrollContainer = scrollerOf(viewport);
    const beside = width(); // beside the scroll bar that a long list will have
    setHeight(style, height && this.#height ? `${this.#height}px` : height);
    let across = meta ? width() : beside;
    // A scroll bar takes width, and narrower rows can be lower. Items that then need no bar stay as wide as beside it.
    const key = JSON.stringify([this.#scrollContainer === document.scrollingElement ? innerWidth : this.#scrollContainer.offsetWidth, innerHeight, meta?.strip, meta?.view]);
    if (across < this.#contentWidth && this.#measuredFor === key) this.#measuredBesideBar = key;
    else if (this.#measuredBesideBar === key) across = beside;
    this.#measuredFor = key;
    viewport.toggleAttribute("data-flow", this.#scrollContainer !== viewport);
    const containerScale = this.#updateScale();
    this.viewportSize = this.#length;
    const { scrollPaddingTop, paddingTop } = getComputedStyle(this.#scrollContainer);
    this.#scrollPadding = (parseFloat(scrollPaddingTop) * containerScale) / this.#scale || 0;
    const edge = this.#isPageScrolled ? 0 : (parseFloat(paddingTop) * containerScale) / this.#scale;
    viewport.parentNode.style.setProperty("--sticky-edge", `${edge}px`); // sticky boxes keep off it
    const hasResized = across !== this.#contentWidth || (this.#hasFullLines && viewportSize !== this.viewportSize);
    this.#contentWidth = across;
    this.track();
    const hasMoved = hasResized || Math.abs(this.#scrollUnit / this.#lastUnit - 1) > 0.001 || (viewportSize !== this.viewportSize && before !== this.#spaceBefore); // the browser may have scrolled, too
    if (meta && former && (former !== this.#scrollContainer || (hasMoved && this.#lastOffset > 0))) {
      this.#range.origin = this.#lastOffset - this.#scrollContainer.scrollTop / this.#scrollUnit; // the strip then jumps to the same offset
    }
    if (hasResized) this.rearrange();
  }

  /** Keeps the item `id` at `at` px of the viewport when its size changes next, to about `size` px. */
  keep(id, at, size) {
    this.#anchor = { item: id, at, end: at + size, offset: this.#lastOffset };
  }

  /** The least offset: the first row is below what covers the top. A page may scroll on to what is before it. */
  get minOffset() {
    return this.#strip.clamp(-this.#scrollPadding);
  }

  /**
   * The place of the first visible item when the strip was drawn last, and the offset. It is the same item until the reader scrolls.
   * Its bottom edge stays if it would be out of view. While the front is in view, the offset alone: the page does not scroll.
   */
  placesInView() {
    const offset = this.#lastOffset; // since then, other content before the list may have moved it
    const isVisible = ({ end, group }) => end > this.scrollPaddingOf(group) + 1;
    const placed = this.#strip.items.map(({ id: item, start, size, group }) => ({ item, group, at: start - offset, end: start + size - offset }));
    this.#anchor ??= { ...placed.find((one) => isVisible(one) && one.at < this.viewportSize), offset };
    const { item, at, end } = this.#anchor;
    return [...(item && offset > 0 ? [{ item, at, end }] : []), { offset }];
  }

  /** Draws the items with other sizes. */
  rearrange() {
    const strip = this.#strip;
    if (strip.loadedItems[0]) strip.refetch([...this.placesInView().slice(0, -1), {}], strip.meta.revision);
    else strip.reload(strip.meta?.revision); // to the initial position
  }

  /** Drops the anchor if the reader has scrolled from where it was, and from where the other sizes have it, to `offset`. */
  #dropAnchorIfScrolled(offset) {
    const anchor = this.#anchor;
    if (!anchor) return;
    const isAt = (other) => Math.abs(this.#strip.clamp(other) - offset) < 1;
    const item = this.#strip.items.find(({ id }) => id === anchor.item);
    if (item && (isAt(item.start - anchor.at) || isAt(item.start + item.size - anchor.end))) anchor.offset = offset;
    else if (!isAt(anchor.offset)) this.#anchor = null;
  }

  /** Follows the content before and after the list. Returns whether something else scrolls, or has another size. */
  track() {
    const port = this.#scrollContainer;
    const { viewport } = this.#strip;
    if (!port) return true;
    if (paper.matches) return false;
    const containerScale = this.#updateScale();
    const list = boxOf(this.#list);
    const top = this.#isPageScrolled ? 0 : boxOf(port).top + port.clientTop * containerScale;
    const before = (list.top - top) / this.#scale + port.scrollTop / this.#scrollUnit;
    const moved = before - this.#spaceBefore;
    if (Math.abs(moved) > Math.max(1 / 64, Math.abs(list.top / this.#scale) / 2 ** 20)) { // rectangles are 32-bit floats
      this.#spaceBefore = before;
      viewport.parentNode.style.setProperty("--before", `${before}px`); // css/layouts.css
      this.#range.origin -= moved;
    }
    const after = Math.max(0, port.scrollHeight / this.#scrollUnit - before - list.height / this.#scale);
    if (Math.abs(after - this.#spaceAfter) >= 1 || moved) {
      this.#spaceAfter = after;
      if (this.#strip.meta) this.resize(this.#strip.meta);
    }
    const isBounded = viewport.scrollHeight > viewport.clientHeight + 1; // both are rounded
    return this.#length !== this.viewportSize || (isBounded && port !== viewport);
  }

  /** Follows `zoom` and `transform`. Returns how many px of the window one px in the styles of what scrolls is. */
  #updateScale() {
    const containerScale = this.#isPageScrolled ? zoomOf(this.#scrollContainer) : scaleOf(this.#scrollContainer);
    const scale = scaleOf(this.#list, (this.#list.style.height && this.#height) || undefined);
    if (Math.abs(scale / this.#scale - 1) > 2 ** -20) this.#scale = scale; // rectangles are 32-bit floats
    this.#scrollUnit = this.#scale / (this.#isPageScrolled ? 1 : containerScale); // a page scrolls in px of the window
    this.#range.unit = this.#scrollUnit * (this.#isPageScrolled ? 1 : zoomOf(this.#scrollContainer));
    return containerScale;
  }

  get #isPageScrolled() {
    return this.#scrollContainer === document.scrollingElement;
  }

  /** The height of what scrolls, in whole 1/64 px of the list. */
  get #length() {
    return Math.floor((this.#scrollContainer.clientHeight / this.#scrollUnit) * 64) / 64;
  }

  resize(meta) {
    const range = this.#range;
    range.resize({ extent: meta.extent }, this.viewportSize, 0, this.#spaceBefore, this.#spaceAfter, MAX_LENGTH / Math.max(1, this.#scale));
    const length = Math.min(meta.extent, range.length - this.#spaceBefore - this.#spaceAfter);
    this.#height = length;
    setHeight(this.#list.style, `${length}px`);
    this.#strip.viewport.toggleAttribute("data-long", this.#scrollContainer === this.#strip.viewport && length < meta.extent);
    const [one, other = one] = meta.items;
    const gap = one && Math.max(0, other.x - one.x - one.width, other.start - one.start - one.size);
    const cell = one ? `--placeholder-width:${one.width}px;--placeholder-height:${one.size}px;--placeholder-gap:${gap}px` : ""; // of the placeholders
    return `:host{--along:${this.viewportSize}px;${cell}}`;
  }

  /** How much of the viewport is covered at its top, in px: by the page, and by the sticky heading of `group` if it has a title. */
  scrollPaddingOf(group) {
    return this.#scrollPadding + this.#headingOf(group);
  }

  #headingOf(group) {
    return (group?.title && this.#strip.heading) || 0;
  }

  place({ style }, { x, width, size, group }, start, direction) {
    const scrolled = this.#strip.offset - this.#range.origin; // reading `position` here would cause a layout for each card
    const y = Math.abs(start - scrolled) < MAX_LENGTH ? start - this.#spaceBefore : -BLOCK; // far away, it is out of sight
    const base = Math.floor(y / BLOCK) * BLOCK;
    style.insetBlockStart = `${base}px`;
    style.transform = `translate(${direction * x}px,${y - base}px)`;
    style.width = `${width}px`;
    style.height = `${size}px`;
    style.scrollMarginBlockStart = `${this.#headingOf(group)}px`; // of the browser's own scrolling, to a focused card
    style.margin = 0; // css/lengths.css places the server's cards by margins
  }

  /** The direction of a vertical arrow: 1 down, -1 up. Undefined for other keys. */
  step({ key }) {
    return ROWS[key];
  }

  /** The item that a vertical arrow leads to from the one of index `from`: in the next row, nearest to the same center. */
  next(event, from) {
    const { loadedItems } = this.#strip;
    const direction = this.step(event);
    const item = loadedItems.find(({ index }) => index === from);
    if (!direction || !item) return;
    const centerOf = ({ x, width }) => +x + width / 2;
    const center = this.#arrowTarget?.index === from ? this.#arrowTarget.center : centerOf(item);
    const beyond = loadedItems.filter(({ start }) => direction * (start - item.start) > 0);
    const row = beyond.filter(({ start }) => start === beyond.at(direction > 0 ? 0 : -1).start);
    const distance = (one) => Math.abs(centerOf(one) - center);
    const next = minBy(row, distance) ?? item;
    this.#arrowTarget = { index: next.index, center };
    return next;
  }

  get #list() {
    return this.#strip.cardList;
  }
}

/** Matches while the page is laid out for paper, where the list has no box. */
const paper = matchMedia("print");

/** Sets the height of the list. A theme can have an important one for all lists. */
function setHeight(style, height) {
  style.setProperty("height", height, "important");
}

/** Gives headings and controls the background that the strip stands on, unless the page sets `--strip-paper`: its text has the color for it. */
function matchPage(strip) {
  const { style } = strip.viewport.parentNode;
  const isOwn = getComputedStyle(strip).getPropertyValue("--strip-paper").trim() !== "Canvas";
  let color;
  for (let node = strip; node && !color && !isOwn; node = parentOf(node)) {
    const { backgroundColor } = getComputedStyle(node);
    if (!/^rgba|\/|transparent/.test(backgroundColor)) color = backgroundColor; // an opaque one
  }
  style.setProperty("--strip-paper", color ?? "");
}

/** Gives a strip the axis of its layout. */
export function setAxis(strip, range) {
  const isStrip = (strip.getAttribute("layout") ?? "strip") === "strip";
  if (isStrip !== !!strip.axis.isVertical) return; // the layout has changed since
  strip.axis.remove?.();
  strip.axis = new (isStrip ? HorizontalAxis : VerticalAxis)(strip, range);
}

/** The `viewport` if its height is bounded, or else its nearest ancestor that scrolls. The list must be MAX_LENGTH high. */
function scrollerOf(viewport) {
  const scrolls = (node) => node.clientHeight < MAX_LENGTH / 16 && node.scrollHeight > node.clientHeight && (node === viewport || /auto|scroll/.test(getComputedStyle(node).overflowY));
  const root = document.scrollingElement;
  let node = viewport;
  while (node && node !== document.body && node !== root) {
    if (scrolls(node)) return node;
    node = parentOf(node);
  }
  return root;
}

// The axis of lists, grids and justified rows: y. The element loads this module when a strip has the attribute `layout`.
import { withOption } from "../base/lifecycle.js";
import { boxOf, parentOf, scaleOf, zoomOf } from "../base/pixels.js";
import { minBy } from "../windows/geometry.js";
import { firstAnchor } from "../windows/in-view.js";
import { observeGroups } from "./groups.js";
import { retryUntilLoaded, withOwnRem } from "../windows/server.js";
import { Headings } from "./headings.js";
import { HorizontalAxis } from "./horizontal.js";
import { needsOtherAxis } from "./layout.js";
import { MAX_SCROLL_HEIGHT, isFlattened, overflowsAround, scrollContainerOf } from "./scroll-container.js";
import { DESIGN, RULES, matchBackground } from "./vertical-styles.js";

/** Cards are placed from the multiple of this before them, in px: transforms are 32-bit floats. */
const TRANSFORM_BLOCK = 2 ** 17;
/** Vertical arrows step by a row. */
const ARROW_STEPS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * A list, a grid or rows scroll along y. The width of the content gives the items their sizes. The strip scrolls itself if its
 * height is bounded. Otherwise its nearest ancestor that scrolls does, or the page.
 *
 * @implements {Axis}
 */
class VerticalAxis {
  isVertical = true;
  parameter = "height";
  align = "nearest";
  viewportSize = 0;
  #contentWidth = 0;
  #height; // of the list, in px. The text of its style has only six digits
  #measuredFor; // what the last width was measured for: the view, and the size of the scroll container
  #measuredBesideBar; // the same, if the items need a scroll bar only while there is none: beside it, they are smaller
  #scrollContainer; // the viewport, or an ancestor that scrolls
  #spaceBefore = 0; // from the start of its content to the list
  #spaceAfter = 0; // from the list to its end
  #scale = 1; // px of the window in one of the list
  #scrollScale = 1; // px of the scroll container in one of the list
  #scrollPadding = 0; // its `scroll-padding-top`
  #lastOffset = 0; // when it was drawn last
  #lastScrollScale;
  #isHidden = false; // by an ancestor, as in closed details. The page is shorter then, and the strip keeps its offset
  #arrowTarget; // the index and the center of the card that a vertical arrow led to
  #anchor; // the place of the item that stays while sizes change, and the offset then: {item, at, end, offset}
  #requestedPlace; // the place of `scrollTo` that names an item, until the strip rests there
  #content = new ResizeObserver(() => this.#strip.requestDraw());
  #styles = new MutationObserver(() => {
    this.#isRestyled = true;
    this.#strip.requestDraw();
  });
  #isRestyled; // whether ancestors have other styles since what scrolls was found
  #overflows; // those of the ancestors, then
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
    this.#list.style.removeProperty("width"); // of the axis before
  }

  /** Undoes what the axis changed. */
  remove() {
    const { shadowRoot } = this.#strip;
    shadowRoot.adoptedStyleSheets = shadowRoot.adoptedStyleSheets.filter((sheet) => ![this.#sheet, DESIGN].includes(sheet));
    this.#strip.viewport.removeAttribute("data-flow");
    this.#headings.remove();
    this.#range.origin = 0;
    this.#range.pixelScale = 1;
    this.#list.style.height = "";
    for (const { style } of this.#list.children) style.height = style.margin = style.insetBlockStart = style.scrollMarginBlockStart = "";
  }

  get query() {
    if (!this.#contentWidth) this.measure();
    const strip = this.#strip;
    const { layout, columns, column, row, cell, caption, heading } = strip;
    const line = this.#hasFullLines ? Math.max(1, this.viewportSize) : strip.line; // the viewport of a closed dialog has no height
    return { layout, columns, column, row, line, cell, caption, heading, width: this.#contentWidth };
  }

  /** Whether each line of a list is as high as the viewport. */
  get #hasFullLines() {
    return this.#strip.line === "100%";
  }

  get isInFlow() {
    return this.#scrollContainer !== this.#strip.viewport;
  }

  readPosition() {
    this.syncLayout();
    return this.#isHidden ? this.#lastOffset - this.#range.origin : (this.#scrollContainer?.scrollTop ?? 0) / this.#scrollScale;
  }

  scrollTo(position, behavior) {
    if (this.#isHidden) this.#lastOffset = position + this.#range.origin;
    else this.#scrollContainer.scrollTo({ top: position * this.#scrollScale, behavior });
  }

  /** What scrolls the strip can be any ancestor. */
  listen(on, listener) {
    const strip = this.#strip;
    const draw = () => strip.requestDraw();
    const isOurs = ({ target }) => (target.scrollingElement ?? target) === this.#scrollContainer;
    const roots = new Set([document]); // scrolling in a shadow root is not heard outside
    for (let node = strip; node; node = node.assignedSlot ?? node.parentNode ?? node.host) if (node instanceof ShadowRoot) roots.add(node);
    for (const target of roots) {
      on("scroll scrollend", (event) => isOurs(event) && listener(event), target, true);
    }
    on("resize", draw, window);
    const stopPinching = pinching(strip, on);
    let hasHeadings = false;
    on("scrollTo", (place) => {
      this.#requestedPlace = (place.index ?? place.item) != null && place;
    });
    on("beforeLayout", () => {
      const { offset, scrollTarget, pendingScroll, isReloading } = strip;
      if (offset === this.#lastOffset && offset === scrollTarget && !pendingScroll.place && !isReloading) this.#requestedPlace = null;
      this.#dropAnchorIfScrolled((this.#lastOffset = offset));
      if (!hasHeadings && strip.heading !== null) observeGroups(strip, on, (groups) => this.#headings.show(groups));
      hasHeadings ||= strip.heading !== null;
      this.#lastScrollScale = this.#scrollScale;
      this.#headings.draw(this.#spaceBefore, this.#range);
    });
    on("settle reload", () => matchBackground(strip)); // a theme can change at any time
    on("transitionend animationend", draw, document); // a `transform` of an ancestor moves the strip
    for (let node = parentOf(strip); node; node = parentOf(node)) { // one of them can become what scrolls
      this.#content.observe(node);
      this.#styles.observe(node, { attributeFilter: ["class", "style"] });
    }
    return () => {
      stopPinching();
      for (const observer of [this.#content, this.#styles]) observer.disconnect();
    };
  }

  /** The server's first window has the sizes of the page if it has its width. */
  heightOf(response) {
    return this.query.width === response?.width ? response.height : 0;
  }

  /** Finds what scrolls, and its size. If the width has changed, the strip reloads. */
  measure() {
    if (this.#contentWidth && printMedia.matches) return;
    const { viewport, meta } = this.#strip;
    const former = { container: this.#scrollContainer, width: this.#contentWidth, viewportSize: this.viewportSize, before: this.#spaceBefore, isHidden: this.#isHidden };
    this.#isHidden = false;
    this.#overflows = overflowsAround(viewport);
    this.#measureWidth();
    const container = this.#scrollContainer;
    viewport.toggleAttribute("data-flow", container !== viewport);
    const containerScale = this.#updateScale();
    this.viewportSize = this.#length;
    const { scrollPaddingTop, paddingTop } = getComputedStyle(container);
    this.#scrollPadding = (parseFloat(scrollPaddingTop) * containerScale) / this.#scale || 0;
    const edge = this.#isPageScrolled ? 0 : (parseFloat(paddingTop) * containerScale) / this.#scale;
    viewport.parentNode.style.setProperty("--sticky-edge", `${edge}px`); // sticky boxes keep off it
    this.syncLayout();
    const isOtherHeight = former.viewportSize !== this.viewportSize;
    const hasResized = former.width !== this.#contentWidth || (this.#hasFullLines && isOtherHeight);
    const isScaled = Math.abs(this.#scrollScale / this.#lastScrollScale - 1) > 0.001;
    const hasMoved = hasResized || isScaled || former.isHidden || (isOtherHeight && former.before !== this.#spaceBefore); // the browser may have scrolled, too
    if (meta && former.container && (former.container !== container || (hasMoved && this.#lastOffset > 0))) {
      this.#range.origin = this.#lastOffset - container.scrollTop / this.#scrollScale; // the strip then jumps to the same offset
    }
    if (hasResized) this.relayout();
  }

  /**
   * Finds what scrolls and the width of the content. A scroll bar could come and go for ever: beside it, rows are narrower and so
   * lower, and then need no bar. Once the width has shrunk in the same container, items stay as wide as beside a bar.
   */
  #measureWidth() {
    const { viewport, meta } = this.#strip;
    const { style } = this.#list;
    const { height } = style;
    const width = () => Math.floor((parseFloat(getComputedStyle(this.#list).width) || viewport.clientWidth) * 64) / 64;
    setHeight(style, `${MAX_SCROLL_HEIGHT}px`); // taller than any bounded height
    this.#scrollContainer = scrollContainerOf(viewport);
    const beside = width(); // beside the scroll bar that a long list will have
    setHeight(style, height && this.#height ? `${this.#height}px` : height);
    let across = meta ? width() : beside;
    const key = JSON.stringify([this.#isPageScrolled ? innerWidth : this.#scrollContainer.offsetWidth, innerHeight, meta?.strip, meta?.view]);
    if (across < this.#contentWidth && this.#measuredFor === key) this.#measuredBesideBar = key;
    else if (this.#measuredBesideBar === key) across = beside;
    this.#measuredFor = key;
    this.#contentWidth = across;
  }

  /** Keeps the item `id` at `at` px of the viewport when its size changes next, to about `size` px. */
  setAnchor(id, at, size) {
    this.#anchor = { item: id, at, end: at + size, offset: this.#lastOffset };
  }

  /** The first row is below what covers the top. A page may scroll on to what is before it. */
  get minOffset() {
    return this.#strip.clamp(-this.#scrollPadding);
  }

  /**
   * The place of the first visible item when the strip was drawn last, and the offset. It is the same item until the reader scrolls.
   * Its bottom edge stays if it would be out of view. While the front is in view, the offset alone: the page does not scroll.
   */
  anchorsInView() {
    const offset = this.#lastOffset; // the present one is wrong if content before the list has another height
    this.#anchor ??= { ...firstAnchor(this.#strip, offset), offset };
    const { item, at, end } = this.#anchor;
    return [...(item && offset > 0 ? [{ item, at, end }] : []), { offset }];
  }

  relayout() {
    const strip = this.#strip;
    if (strip.isStale) return strip.reload(null); // to the place of the next windows
    strip.pendingScroll.end(); // it searches in px of the present sizes
    const inView = this.anchorsInView().slice(0, -1).map((anchor) => ({ ...anchor, from: this.#lastOffset }));
    strip.reload(null, [this.#requestedPlace, ...inView, {}].filter(Boolean));
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

  /** Returns whether something else scrolls, or has another size. */
  syncLayout() {
    const container = this.#scrollContainer;
    const { viewport } = this.#strip;
    if (!container) return true;
    if (printMedia.matches) return false;
    if (!viewport.checkVisibility()) return !(this.#isHidden = true);
    if (this.#isRestyled && this.#overflows !== overflowsAround(viewport)) return true;
    this.#isRestyled = false;
    const containerScale = this.#updateScale();
    const list = boxOf(this.#list);
    const top = this.#isPageScrolled ? 0 : boxOf(container).top + container.clientTop * containerScale;
    const before = (list.top - top) / this.#scale + container.scrollTop / this.#scrollScale;
    const rest = container.scrollHeight / this.#scrollScale - before - list.height / this.#scale;
    const isCut = rest < -1; // an ancestor hides the list, or scrolls now
    if (isCut && isFlattened(this.#strip, container)) return !(this.#isHidden = true);
    if (this.#isHidden || (isCut && scrollContainerOf(viewport, container) !== container)) return true;
    const moved = before - this.#spaceBefore;
    if (Math.abs(moved) > Math.max(1 / 64, Math.abs(list.top / this.#scale) / 2 ** 20)) { // rectangles are 32-bit floats
      this.#spaceBefore = before;
      viewport.parentNode.style.setProperty("--before", `${before}px`); // css/layouts.css
      this.#range.origin -= moved;
    }
    const after = Math.max(0, rest);
    if (Math.abs(after - this.#spaceAfter) >= 1 || moved) {
      this.#spaceAfter = after;
      if (this.#strip.meta) this.resize(this.#strip.meta);
    }
    const isBounded = viewport.scrollHeight > viewport.clientHeight + 1; // 1 px is not enough: both are rounded
    return this.#length !== this.viewportSize || (isBounded && container !== viewport);
  }

  /** Follows `zoom` and `transform`. Returns how many px of the window one px in the styles of what scrolls is. */
  #updateScale() {
    const containerScale = this.#isPageScrolled ? zoomOf(this.#scrollContainer) : scaleOf(this.#scrollContainer);
    const scale = scaleOf(this.#list, (this.#list.style.height && this.#height) || undefined);
    if (Math.abs(scale / this.#scale - 1) > 2 ** -20) this.#scale = scale; // rectangles are 32-bit floats
    this.#scrollScale = this.#scale / (this.#isPageScrolled ? 1 : containerScale); // a page scrolls in px of the window
    this.#range.pixelScale = this.#scrollScale * (this.#isPageScrolled ? 1 : zoomOf(this.#scrollContainer));
    return containerScale;
  }

  get #isPageScrolled() {
    return this.#scrollContainer === document.scrollingElement;
  }

  /** The height of what scrolls, in whole 1/64 px of the list. */
  get #length() {
    return Math.floor((this.#scrollContainer.clientHeight / this.#scrollScale) * 64) / 64;
  }

  resize(response) {
    const range = this.#range;
    range.resize({ extent: response.extent }, this.viewportSize, 0, this.#spaceBefore, this.#spaceAfter, MAX_SCROLL_HEIGHT / Math.max(1, this.#scale));
    const length = Math.min(response.extent, range.length - this.#spaceBefore - this.#spaceAfter);
    this.#height = length;
    // Firefox scrolls a page that becomes shorter beside a sticky box to its end, a frame later. This scrolls it before.
    if (this.#scrollContainer.scrollTop > (range.maxScroll + 1) * this.#scrollScale) this.scrollTo(range.maxScroll, "instant");
    setHeight(this.#list.style, `${length}px`);
    this.#strip.viewport.toggleAttribute("data-long", this.#scrollContainer === this.#strip.viewport && length < response.extent);
    const [first, second = first] = response.items;
    const gap = first && Math.max(0, second.x - first.x - first.width, second.start - first.start - first.size);
    const cell = first ? `--placeholder-width:${first.width}px;--placeholder-height:${first.size}px;--placeholder-gap:${gap}px` : ""; // of the placeholders
    return `:host{--along:${this.viewportSize}px;${cell}}`;
  }

  /** What covers the top: the page, and the sticky heading of `group` if it has a title. */
  scrollPaddingOf(group) {
    return this.#scrollPadding + this.#headingOf(group);
  }

  #headingOf(group) {
    return (group?.title && this.#strip.heading) || 0;
  }

  place({ style }, { x, width, size, group }, start, direction) {
    const scrolled = this.#strip.offset - this.#range.origin; // reading `position` here would cause a layout for each card
    const y = Math.abs(start - scrolled) < MAX_SCROLL_HEIGHT ? start - this.#spaceBefore : -TRANSFORM_BLOCK; // far away, it is out of sight
    const base = Math.floor(y / TRANSFORM_BLOCK) * TRANSFORM_BLOCK;
    style.insetBlockStart = `${base}px`;
    style.transform = `translate(${direction * x}px,${y - base}px)`;
    style.width = `${width}px`;
    style.height = `${size}px`;
    style.scrollMarginBlockStart = `${this.#headingOf(group)}px`; // for the browser, which scrolls to a focused card
    style.margin = 0; // css/lengths.css places the server's cards by margins
  }

  /** Vertical arrows lead 1 down, -1 up. */
  step({ key }) {
    return ARROW_STEPS[key];
  }

  /** The item in the next row that is nearest to the same center. */
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

/** Loads what a strip with the attribute `pinch` needs. */
const pinching = withOption("pinch", (strip) => {
  const lifetime = new AbortController();
  retryUntilLoaded(() => import("./pinch.js")).then(({ Pinch }) => lifetime.signal.aborted || new Pinch(strip, lifetime.signal));
  return () => lifetime.abort();
});

/** Matches while the page is laid out for paper, where the list has no box. */
const printMedia = matchMedia("print");

/** Sets the height of the list. A theme can have an important one for all lists. */
function setHeight(style, height) {
  style.setProperty("height", height, "important");
}

/** Gives a strip the axis of its layout. */
export function setAxis(strip, range) {
  if (!needsOtherAxis(strip)) return; // while this module was loaded, the page has set another layout
  const Axis = strip.axis.isVertical ? HorizontalAxis : VerticalAxis;
  strip.axis.remove?.();
  strip.axis = new Axis(strip, range);
}

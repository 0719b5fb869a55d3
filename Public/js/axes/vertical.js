// The axis of lists, grids and justified rows: y. The element loads this module when a strip has the attribute `layout`.
import { boxOf, parentOf, scaleOf, zoomOf } from "../base/pixels.js";
import { withOption } from "../base/plugin.js";
import { clampRem } from "../server/files.js";
import { retryUntilLoaded } from "../server/retries.js";
import { ArrowKeys } from "./arrow-keys.js";
import { needsOtherAxis } from "./axis.js";
import { observeGroups } from "./groups.js";
import { Headings } from "./headings.js";
import { HorizontalAxis } from "./horizontal.js";
import { ResizeAnchor } from "./resize-anchor.js";
import { MAX_SCROLL_HEIGHT, isCollapsed, overflowsAround, scrollContainerOf } from "./scroll-container.js";
import { DESIGN, RULES, matchBackground } from "./vertical-styles.js";

/** Cards are placed from the multiple of this before them, in px: transforms are 32-bit floats. */
const TRANSFORM_BLOCK = 2 ** 17;

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
  #height; // the height of the list in px. The text of its style has only six digits
  #measuredFor; // the key of the last measurement: the view, and the size of the scroll container
  #measuredBesideBar; // the key at which a scroll bar has made the items narrower. With the same key, they stay as narrow without the bar, or it would come and go
  #scrollContainer; // the viewport, or an ancestor that scrolls
  #spaceBefore = 0; // px from the start of the content that scrolls to the list
  #spaceAfter = 0; // px from the list to the end of that content
  #scale = 1; // px of the window in one of the list
  #scrollScale = 1; // px of the scroll container in one of the list
  #scrollPadding = 0; // the `scroll-padding-top` of the scroll container
  #lastOffset = 0; // the offset when the strip was drawn last
  #lastScrollScale;
  #isHidden = false; // whether an ancestor hides the strip, as closed details do. The page is shorter then, and the strip keeps its offset
  #resizeObserver = new ResizeObserver(() => this.#strip.requestDraw());
  #styleObserver = new MutationObserver(() => {
    this.#isRestyled = true;
    this.#strip.requestDraw();
  });
  #isRestyled; // whether ancestors have other styles since what scrolls was found
  #overflows; // the overflow of the ancestors when what scrolls was found, as text
  #sheet = new CSSStyleSheet();
  #strip;
  #range;
  #headings;
  #arrowKeys;
  #resizeAnchor;

  constructor(strip, range) {
    this.#strip = strip;
    this.#arrowKeys = new ArrowKeys(strip);
    this.#resizeAnchor = new ResizeAnchor(strip);
    this.#range = range;
    range.origin = 0;
    this.#sheet.replaceSync(clampRem(RULES));
    strip.shadowRoot.adoptedStyleSheets.push(this.#sheet, DESIGN);
    this.#headings = new Headings(strip);
    this.#list.style.removeProperty("width"); // the axis before has set it
  }

  /** Undoes what the axis changed. */
  remove() {
    const { shadowRoot } = this.#strip;
    shadowRoot.adoptedStyleSheets = shadowRoot.adoptedStyleSheets.filter((sheet) => ![this.#sheet, DESIGN].includes(sheet));
    this.#strip.viewport.removeAttribute("data-flow");
    this.#strip.viewport.parentNode.removeAttribute("style");
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
    on("scrollTo", (place) => this.#resizeAnchor.request(place));
    on("beforeLayout", () => {
      const { offset } = strip;
      this.#resizeAnchor.update(offset, this.#lastOffset);
      this.#lastOffset = offset;
      if (!hasHeadings && strip.heading !== null) observeGroups(strip, on, (groups) => this.#headings.show(groups));
      hasHeadings ||= strip.heading !== null;
      this.#lastScrollScale = this.#scrollScale;
      this.#headings.draw(this.#spaceBefore, this.#range);
    });
    on("settle reload", () => matchBackground(strip)); // a theme can change at any time
    const itemsKey = () => JSON.stringify([strip.meta?.strip, strip.meta?.view]);
    let headingsKey = itemsKey();
    on("reload", () => {
      if (itemsKey() !== headingsKey) this.#headings.show([]); // those of other items stand at wrong places, until the groups are there
      headingsKey = itemsKey();
    });
    on("transitionend animationend", draw, document); // a `transform` of an ancestor moves the strip
    for (let node = parentOf(strip); node; node = parentOf(node)) { // one of them can become what scrolls
      this.#resizeObserver.observe(node);
      this.#styleObserver.observe(node, { attributeFilter: ["class", "style"] });
    }
    return () => {
      stopPinching();
      for (const observer of [this.#resizeObserver, this.#styleObserver]) observer.disconnect();
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
    this.viewportSize = this.#containerHeight;
    const { scrollPaddingTop, paddingTop } = getComputedStyle(container);
    this.#scrollPadding = (parseFloat(scrollPaddingTop) * containerScale) / this.#scale || 0;
    const edge = this.#isPageScrolled ? 0 : (parseFloat(paddingTop) * containerScale) / this.#scale;
    viewport.parentNode.style.setProperty("--sticky-edge", `${edge}px`); // sticky boxes stop below it
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
    const narrowWidth = width(); // beside the scroll bar that a long list will have
    setHeight(style, height && this.#height ? `${this.#height}px` : height);
    let contentWidth = meta ? width() : narrowWidth;
    const key = JSON.stringify([this.#isPageScrolled ? innerWidth : this.#scrollContainer.offsetWidth, innerHeight, meta?.strip, meta?.view]);
    if (contentWidth < this.#contentWidth && this.#measuredFor === key) this.#measuredBesideBar = key;
    else if (this.#measuredBesideBar === key) contentWidth = narrowWidth;
    this.#measuredFor = key;
    this.#contentWidth = contentWidth;
  }

  /** Keeps the item `id` at `at` px of the viewport when its size changes next, to about `size` px. */
  setAnchor(id, at, size) {
    this.#resizeAnchor.set(id, at, size, this.#lastOffset);
  }

  /** At this offset, the first row is below what covers the top. A page can scroll on to the content before it. */
  get minOffset() {
    return this.#strip.clamp(-this.#scrollPadding);
  }

  anchorsInView() {
    return this.#resizeAnchor.anchorsInView(this.#lastOffset);
  }

  relayout() {
    const strip = this.#strip;
    if (strip.isStale) return strip.reload(null); // the next windows have a place of their own
    strip.pendingScroll.end(); // it searches in px of the present sizes
    strip.reload(null, this.#resizeAnchor.reloadAnchors(this.#lastOffset));
  }

  /** Follows the content around the list. Returns whether something else scrolls now, or has another size. */
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
    if (isCut && isCollapsed(this.#strip, container)) return !(this.#isHidden = true);
    if (this.#isHidden || (isCut && scrollContainerOf(viewport, container) !== container)) return true;
    const moved = before - this.#spaceBefore;
    if (Math.abs(moved) > Math.max(1 / 64, Math.abs(list.top / this.#scale) / 2 ** 20)) { // rectangles are 32-bit floats
      this.#spaceBefore = before;
      viewport.parentNode.style.setProperty("--before", `${before}px`); // css/layouts.css reads it
      this.#range.origin -= moved;
    }
    const after = Math.max(0, rest);
    if (Math.abs(after - this.#spaceAfter) >= 1 || moved) {
      this.#spaceAfter = after;
      if (this.#strip.meta) this.resize(this.#strip.meta);
    }
    const isBounded = viewport.scrollHeight > viewport.clientHeight + 1; // 1 px is not enough: both are rounded
    return this.#containerHeight !== this.viewportSize || (isBounded && container !== viewport);
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
  get #containerHeight() {
    return Math.floor((this.#scrollContainer.clientHeight / this.#scrollScale) * 64) / 64;
  }

  resize(response) {
    const range = this.#range;
    range.resize({ extent: response.extent }, this.viewportSize, 0, this.#spaceBefore, this.#spaceAfter, MAX_SCROLL_HEIGHT / Math.max(1, this.#scale));
    const length = Math.min(response.extent, range.length - this.#spaceBefore - this.#spaceAfter);
    this.#height = length;
    // Firefox scrolls a page with a sticky box to its end a frame after it becomes shorter. This scrolls it at once.
    if (this.#scrollContainer.scrollTop > (range.maxScroll + 1) * this.#scrollScale) this.scrollTo(range.maxScroll, "instant");
    setHeight(this.#list.style, `${length}px`);
    this.#strip.viewport.toggleAttribute("data-long", this.#scrollContainer === this.#strip.viewport && length < response.extent);
    const [first, second = first] = response.items;
    const gap = first && Math.max(0, second.x - first.x - first.width, second.start - first.start - first.size);
    const cell = first ? `--placeholder-width:${first.width}px;--placeholder-height:${first.size}px;--placeholder-gap:${gap}px` : ""; // strip.css draws placeholders of this size
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
    const scrolled = this.#strip.offset - this.#range.origin; // reading the scroll position here would cause a layout for each card
    const y = Math.abs(start - scrolled) < MAX_SCROLL_HEIGHT ? start - this.#spaceBefore : -TRANSFORM_BLOCK; // far away, it is out of sight
    const base = Math.floor(y / TRANSFORM_BLOCK) * TRANSFORM_BLOCK;
    style.insetBlockStart = `${base}px`;
    style.transform = `translate(${direction * x}px,${y - base}px)`;
    style.width = `${width}px`;
    style.height = `${size}px`;
    style.scrollMarginBlockStart = `${this.#headingOf(group)}px`; // for the browser, which scrolls to a focused card
    style.margin = 0; // css/lengths.css places the server's cards by margins
  }

  directionOf(event) {
    return this.#arrowKeys.directionOf(event);
  }

  nextItem(event, from) {
    return this.#arrowKeys.nextItem(event, from);
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

// An element whose part `viewport` scrolls its children, as the element itself would.
import { HorizontalAxis } from "../axes/horizontal.js";
import { create } from "../base/dom.js";
import { ensureList } from "../cards/list.js";
import { PendingScroll } from "../position/pending-scroll.js";
import { fetchJSON } from "../server/requests.js";
import { alignedOffset } from "../windows/geometry.js";
import { mayRequest } from "../windows/prefetch.js";

/** All parts are in a shadow root. The element scrolls as if it was its viewport. */
export class ScrollingElement extends HTMLElement {
  #viewport = create("div", { part: "viewport" }, create("slot"));

  // The members that modules share: shared-members.js describes them. One that is set before the element is defined has no field here,
  // which would overwrite it.
  axis = new HorizontalAxis(this);
  hooks = Object.fromEntries("beforeLayout afterLayout afterRender scrollTo motionEnd isMoving snap beforeSettle option disconnected".split(" ").map((name) => [name, new Set()]));
  pendingScroll = new PendingScroll();
  overrides = {};
  prefetchLevel = 0;
  earlyScroll = this.firstElementChild ? super.scrollLeft : 0;
  fetchJSON = fetchJSON; // the function of this bundle: modules in others call it
  mayPrefetch = () => mayRequest(this.isOnScreen, false);

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(create("div", {}, this.#viewport));
  }

  /** The part that scrolls. Its parent has all parts. */
  get viewport() {
    return this.#viewport;
  }

  /** The list of the cards. A page can replace it at any time, so that it is never kept. */
  get cardList() {
    return ensureList(this);
  }

  /** The viewport's length along the axis, in px: the width of a strip. Reading it causes no layout. */
  get viewportSize() {
    return this.axis.viewportSize;
  }

  /** 1 from left to right, -1 from right to left, by `dir` or a style. */
  get direction() {
    return getComputedStyle(this).direction === "rtl" ? -1 : 1;
  }

  /** How the current item is aligned: "start", "center" or "end". Undefined if the strip does not snap, as one that the page scrolls. */
  get alignment() {
    return this.axis.isInFlow ? undefined : /start|center|end/.exec(this.option("snap"))?.[0];
  }

  /** The text of an option: of a custom property, or else of the attribute. Null without it. */
  option(name) {
    const value = this.overrides[name];
    return value === undefined ? this.getAttribute(name) : value;
  }

  /** The node that shows the item of `index`, or null. */
  nodeOf(index) {
    return this.querySelector(`:scope > ul > [data-index="${index}"]`);
  }

  /** Whether the strip may request what is in its view. */
  get mayRequest() {
    return mayRequest(this.isOnScreen);
  }

  /** The offset that shows a drawn item, within the strip. */
  offsetOf(item, align = this.alignment) {
    return this.clamp(alignedOffset(item, align, this.viewportSize, this.offset, this.axis.scrollPaddingOf(item.group)));
  }

  /** Dispatches an event that bubbles, out of shadow roots too if it is `composed`. Returns whether no listener prevented its default. */
  emit(type, detail, composed) {
    return this.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable: true, composed, detail }));
  }

  /** Without the padding at both sides. strip.css sets it to `--strip-bleed`, where cards are visible too. */
  get clientWidth() {
    return Math.max(0, this.#viewport.clientWidth - 2 * parseFloat(getComputedStyle(this.#viewport).paddingInlineStart)) || 0;
  }
  get scrollWidth() {
    return this.#viewport.scrollWidth;
  }
  get scrollLeft() {
    return this.#viewport.scrollLeft;
  }
  set scrollLeft(px) {
    this.#viewport.scrollLeft = px;
  }
  get scrollTop() {
    return this.#viewport.scrollTop;
  }
  set scrollTop(px) {
    this.#viewport.scrollTop = px;
  }
  scrollTo() {
    this.#viewport.scrollTo(...arguments);
  }
  scroll() {
    return this.scrollTo(...arguments);
  }
  scrollBy() {
    this.#viewport.scrollBy(...arguments);
  }
}

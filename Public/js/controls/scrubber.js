// A scrubber: a slider for the whole strip, with ticks and titles of its groups.
import { MIN_TICK, MIN_TITLE_HEIGHT, MIN_TITLE_WIDTH } from "../base/constants.js";
import { create } from "../base/dom.js";
import { groupTitle, withYears } from "../base/months.js";
import { setText } from "../base/text.js";
import { formatNumber } from "../language/format.js";
import { localize } from "../language/messages.js";
import { offsetAt, scrollProgress } from "../motion/scroll-progress.js";
import { observeGroups } from "../axes/groups.js";

/** English messages. Other languages have theirs with those of the strip. */
const ENGLISH = {
  position: "Position",
};

/**
 * Creates a slider for the position in the strip, with a tick and a title for each group: for each year if the groups are
 * months. A bubble names the group while the slider moves. A strip without items shows nothing.
 */
export function scrubber(strip, on) {
  return new Scrubber(strip, on).node;
}

class Scrubber {
  #strip;
  #titles = create("div", { part: "titles", ariaHidden: true });
  #input = create("input", { part: "scrubber", type: "range", max: 1, step: "any", value: 0, disabled: true }); // the first draw enables it
  #bubble = create("div", { part: "bubble" });
  node = create("div", { part: "scale" }, this.#titles, this.#input);
  #groups = [];
  #drawnSize; // the size that the ticks were drawn for

  constructor(strip, on) {
    this.#strip = strip;
    localize(strip, on, (messages) => (this.#input.ariaLabel = { ...ENGLISH, ...messages }.position));
    on("input", () => {
      this.#scrollTo(+this.#input.value);
      this.#update();
    }, this.#input);
    on("keydown", (event) => this.#press(event), this.#input);
    on("afterRender", () => {
      this.node.hidden = !strip.meta.count;
      const { direction } = getComputedStyle(strip);
      if (this.node.dir !== direction) this.node.dir = direction; // browsers look at all descendants each time that it is set
      this.#update();
      if (this.#size !== this.#drawnSize) this.#drawTicks();
    });
    observeGroups(strip, on, (groups) => this.#show(groups));
  }

  /** What the ticks depend on: the sizes of the strip and of its viewport. */
  get #size() {
    const { clientWidth, viewportSize, meta } = this.#strip;
    return `${clientWidth} ${viewportSize} ${meta.extent}`;
  }

  #scrollTo(progress) {
    this.#strip.scrollTo({ offset: offsetAt(this.#strip, progress) });
  }

  /** In a vertical scrubber, Page Down leads on, as the down arrow does. Browsers have it the other way round. */
  #press({ key }) {
    const direction = this.#strip.axis.isVertical && { PageUp: -1, PageDown: 1 }[key];
    if (!direction) return;
    this.#scrollTo(Math.min(1, Math.max(0, +this.#input.value + direction / 10)));
    return false;
  }

  #show(groups) {
    this.#groups = groups;
    this.#titles.replaceChildren();
    this.#drawTicks();
    this.#update();
  }

  /** Shows the position of the strip, and the group there. */
  #update() {
    const [strip, input, groups] = [this.#strip, this.#input, this.#groups];
    const { axis } = strip;
    const progress = input.matches(":active") ? +input.value : scrollProgress(strip);
    const offset = offsetAt(strip, progress);
    const group = groups.findLast((other) => other.start - axis.scrollPaddingOf(other) < offset + 1) ?? groups[0];
    const title = groupTitle(group?.title, strip);
    input.disabled = offsetAt(strip, 1) === offsetAt(strip, 0) || (axis.isVertical && strip.meta.extent <= strip.viewportSize); // a page can scroll by its other content
    input.value = progress;
    input.ariaValueText = `${formatNumber(progress, strip, { style: "percent" })} ${title}`;
    setText(this.#bubble, title);
    this.#bubble.style[axis.isVertical ? "top" : "insetInlineStart"] = `${progress * 100}%`;
  }

  /** Draws a tick and a title for each group. A short group without a title has no tick. */
  #drawTicks() {
    const [strip, input, titles, bubble] = [this.#strip, this.#input, this.#titles, this.#bubble];
    const { isVertical } = strip.axis;
    if (isVertical && (isFlat ??= liesFlat(this.node))) this.node.style.setProperty("--length", `${this.node.clientHeight}px`); // css/layouts.css turns the slider
    input.toggleAttribute("data-flat", isVertical && isFlat);
    this.#drawnSize = this.#size;
    const length = Math.max(input.clientWidth, input.clientHeight);
    const room = isVertical ? MIN_TITLE_HEIGHT : MIN_TITLE_WIDTH;
    const groups = withYears(this.#groups);
    titles.toggleAttribute("data-years", groups !== this.#groups); // these titles are short
    const starts = groups.map(({ start }) => (start * length) / strip.meta.extent);
    const titlePlaces = placeTitles(starts, length, room);
    const sizeOf = (k) => (starts[k + 1] ?? length) - starts[k];
    const ticks = [...starts.keys()].filter((k) => !k || sizeOf(k) >= MIN_TICK || titlePlaces.has(k));
    bubble.remove();
    ticks.forEach((k, n) => {
      const tick = titles.children[n] ?? titles.appendChild(create("span", {}, create("span")));
      const title = tick.firstChild;
      const place = titlePlaces.get(k) ?? starts[k];
      tick.hidden = false;
      tick.style.flexGrow = (starts[ticks[n + 1]] ?? length) - starts[k];
      title.hidden = !titlePlaces.has(k);
      title.style.maxInlineSize = `${Math.min(length - place, Math.max(room, starts[k] + sizeOf(k) - place))}px`;
      title.style[isVertical ? "marginBlockStart" : "marginInlineStart"] = `${place - starts[k]}px`;
      title.onclick = () => strip.scrollTo({ index: groups[k].first, align: "start" });
      setText(title, groups[k].title ?? "");
    });
    for (const tick of [...titles.children].slice(ticks.length)) tick.hidden = true; // it stays: another width can need as many again
    if (groups[0]) titles.append(bubble); // above the titles
  }
}

/**
 * The places of the titles of groups that begin at `starts` on a line of `length` px, by the number of the group. A title takes `room`
 * px. Where titles are too near to one another, the first group has one, and then the largest ones. A title can also stand later in
 * its group. One near the end is shortened.
 */
export function placeTitles(starts, length, room) {
  const placed = new Map();
  const sizes = starts.map((start, k) => (starts[k + 1] ?? length) - start);
  for (const k of [...starts.keys()].sort((one, other) => !other - !one || sizes[other] - sizes[one])) {
    const others = [...placed.values()];
    const isFree = (place) => others.every((other) => Math.abs(place - other) >= room) && length - place >= room / 2;
    const isInGroup = (place) => place === starts[k] || (place > starts[k] && place + room / 2 <= starts[k] + sizes[k]);
    const place = [starts[k], ...others.map((other) => other + room)].find((candidate) => isFree(candidate) && isInGroup(candidate));
    if (place !== undefined) placed.set(k, place);
  }
  return placed;
}

let isFlat; // undefined before the first vertical scrubber

/** Whether a vertical slider lies flat: WebKitGTK ignores its `writing-mode`. Undefined while its parent is not shown. */
function liesFlat(parent) {
  const probe = create("input", { type: "range", style: "position:absolute;visibility:hidden;writing-mode:vertical-lr" });
  parent.append(probe);
  const { offsetWidth, offsetHeight } = probe;
  probe.remove();
  return offsetWidth ? offsetWidth > offsetHeight : undefined;
}

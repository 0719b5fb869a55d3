// A scrubber: a slider for the whole strip, with ticks and titles of its groups.
import { MIN_TICK, MIN_TITLE_HEIGHT, MIN_TITLE_WIDTH } from "../base/constants.js";
import { create } from "../base/dom.js";
import { languageOf } from "../base/language.js";
import { groupTitle, withYears } from "../base/months.js";
import { setText } from "../base/text.js";
import { formatNumber } from "../language/format.js";
import { localize } from "../language/messages.js";
import { offsetAt, scrollProgress } from "../windows/scroll-progress.js";
import { observeGroups } from "../windows/groups.js";
import { retryUntilLoaded } from "../windows/server.js";

/** English messages. Other languages have theirs with those of the strip. */
const ENGLISH = {
  position: "Position",
};

/**
 * Creates a slider for the position in the strip, with a tick and a title for each group: for each year if the groups are
 * months. A bubble names the group while the slider moves. A strip without items shows nothing.
 *
 * Where titles are too near to one another, the first group has one, and then the largest ones. A title can also stand later in
 * its group. A short group without a title has no tick. A title near the end is shortened.
 */
export function scrubber(strip, on) {
  const titles = create("div", { part: "titles", ariaHidden: true });
  const input = create("input", { part: "scrubber", type: "range", max: 1, step: "any", value: 0, disabled: true }); // until the first draw
  const bubble = create("div", { part: "bubble" });
  const scale = create("div", { part: "scale" }, titles, input);
  let groups = [];
  localize(strip, on, (messages) => (input.ariaLabel = { ...ENGLISH, ...messages }.position));
  let lastSize; // of the strip and its viewport, when the ticks were shown
  const scrollToProgress = (progress) => strip.scrollTo({ offset: offsetAt(strip, progress) });
  on("input", () => {
    scrollToProgress(+input.value);
    update();
  }, input);
  // In a column, a page leads on as the arrow down does. Browsers have it the other way.
  on("keydown", ({ key }) => {
    const direction = strip.axis.isVertical && { PageUp: -1, PageDown: 1 }[key];
    if (!direction) return;
    scrollToProgress(Math.min(1, Math.max(0, +input.value + direction / 10)));
    return false;
  }, input);

  const update = () => {
    const progress = input.matches(":active") ? +input.value : scrollProgress(strip);
    const offset = offsetAt(strip, progress);
    const group = groups.findLast((other) => other.start - strip.axis.scrollPaddingOf(other) < offset + 1) ?? groups[0];
    const title = groupTitle(group?.title, strip);
    input.disabled = offsetAt(strip, 1) === offsetAt(strip, 0);
    input.value = progress;
    input.ariaValueText = `${formatNumber(progress, strip, { style: "percent" })} ${title}`;
    setText(bubble, title);
    bubble.style[strip.axis.isVertical ? "top" : "insetInlineStart"] = `${progress * 100}%`;
  };

  const size = () => `${strip.clientWidth} ${strip.viewportSize} ${strip.meta.extent}`;
  const showTicks = () => {
    if (strip.axis.isVertical && (isFlat ??= liesFlat(scale))) scale.style.setProperty("--length", `${scale.clientHeight}px`); // css/layouts.css turns it
    input.toggleAttribute("data-flat", strip.axis.isVertical && isFlat);
    const length = Math.max(input.clientWidth, input.clientHeight);
    const room = strip.axis.isVertical ? MIN_TITLE_HEIGHT : MIN_TITLE_WIDTH;
    lastSize = size();
    const marks = withYears(groups);
    titles.toggleAttribute("data-years", marks !== groups); // short ones
    const places = marks.map(({ start }) => (start * length) / strip.meta.extent);
    const sizes = places.map((place, k) => (places[k + 1] ?? length) - place);
    const keys = [...places.keys()];
    const titled = new Map(); // the places of titles
    for (const k of [...keys].sort((one, other) => !other - !one || sizes[other] - sizes[one])) {
      const others = [...titled.values()];
      const isFree = (place) => others.every((other) => Math.abs(place - other) >= room) && length - place >= room / 2;
      const isInGroup = (place) => place === places[k] || (place > places[k] && place + room / 2 <= places[k] + sizes[k]);
      const place = [places[k], ...others.map((other) => other + room)].find((candidate) => isFree(candidate) && isInGroup(candidate));
      if (place !== undefined) titled.set(k, place);
    }
    const ticks = keys.filter((k) => !k || sizes[k] >= MIN_TICK || titled.has(k));
    bubble.remove();
    ticks.forEach((k, n) => {
      const tick = titles.children[n] ?? titles.appendChild(create("span", {}, create("span")));
      tick.hidden = false;
      tick.style.flexGrow = (places[ticks[n + 1]] ?? length) - places[k];
      const place = titled.get(k) ?? places[k];
      tick.firstChild.hidden = !titled.has(k);
      tick.firstChild.style.maxInlineSize = `${Math.min(length - place, Math.max(room, places[k] + sizes[k] - place))}px`;
      tick.firstChild.style[strip.axis.isVertical ? "marginBlockStart" : "marginInlineStart"] = `${place - places[k]}px`;
      tick.firstChild.onclick = () => strip.scrollTo({ index: marks[k].first, align: "start" });
      setText(tick.firstChild, marks[k].title ?? "");
    });
    for (const tick of [...titles.children].slice(ticks.length)) tick.hidden = true; // another width can need it
    if (groups[0]) titles.append(bubble); // above the titles
  };

  on("afterRender", () => {
    scale.hidden = !strip.meta.count;
    update();
    if (size() !== lastSize) showTicks();
  });
  const showGroups = (loaded) => {
    groups = loaded;
    titles.replaceChildren();
    showTicks();
    update();
  };
  observeGroups(strip, on, async (loaded) => {
    showGroups(loaded);
    const field = strip.sort?.replace(/^-/, "");
    const priced = field && (await withCurrency(loaded, strip, field));
    if (priced && groups === loaded) showGroups(priced);
  });
  return scale;
}

let isFlat; // undefined before the first column

/** Whether a slider lies flat in a column: WebKitGTK ignores its `writing-mode`. Undefined while its parent is not shown. */
function liesFlat(parent) {
  const probe = create("input", { type: "range", style: "position:absolute;visibility:hidden;writing-mode:vertical-lr" });
  parent.append(probe);
  const { offsetWidth, offsetHeight } = probe;
  probe.remove();
  return offsetWidth ? offsetWidth > offsetHeight : undefined;
}

/** The groups of a sort by a price, each with its currency. Undefined for another sort. */
async function withCurrency(groups, strip, field) {
  const { loadFormatter } = await retryUntilLoaded(() => import("../language/fields.js"));
  const formatter = await loadFormatter(strip, languageOf(strip));
  if (formatter.formatOf(field) === "currency") return groups.map((group) => ({ ...group, title: group.title && formatter.format(group.title, field) }));
}

// An indicator that slides under the selected item.
import { make } from "./make.js";
import { switched } from "./switched.js";

/** With the attribute `indicator`: an element as wide as the selected item, which slides to the next. */
export const indicator = switched("indicator", (strip, signal) => {
  const bar = make("div", { part: "indicator", hidden: true, ariaHidden: "true" });
  strip.append(bar);
  const hear = (type, act) => strip.addEventListener(type, act, { signal });
  const stand = (slides) => {
    const { selected, items, offset, sign } = strip;
    const item = items.find(({ id }) => id === selected?.id);
    if (!item) {
      bar.hidden = !selected || bar.hidden;
      return;
    }
    bar.classList.toggle("sliding", slides && !bar.hidden);
    bar.hidden = false;
    bar.style.width = `${item.size}px`;
    bar.style.transform = `translateX(${sign * (sign * strip.scrollLeft + item.start - offset)}px)`;
  };
  hear("select", () => stand(true));
  hear("deselect", () => queueMicrotask(() => (bar.hidden ||= !strip.selected))); // another may be selected by then
  hear("reload", () => stand(false));
  hear("transitionend", () => stand(false));
  hear("settle", () => bar.classList.contains("sliding") || stand(false));
  signal.addEventListener("abort", () => bar.remove());
  stand(false);
});

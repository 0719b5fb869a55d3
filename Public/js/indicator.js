// An indicator that slides under the selected item.

/** With the attribute `indicator`: an element `.indicator` as wide as the selected item, which slides to the next. */
export function indicator(strip, signal) {
  if (!strip.hasAttribute("indicator")) return;
  const bar = document.createElement("div");
  bar.className = "indicator";
  bar.hidden = true;
  bar.ariaHidden = "true";
  strip.append(bar);
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
  strip.addEventListener("select", () => stand(true), { signal });
  const leave = () => (bar.hidden ||= !strip.selected);
  strip.addEventListener("deselect", () => queueMicrotask(leave), { signal }); // another may be selected by then
  strip.addEventListener("reload", () => stand(false), { signal });
  strip.addEventListener("transitionend", () => stand(false), { signal });
  strip.addEventListener("settle", () => bar.classList.contains("sliding") || stand(false), { signal });
  signal.addEventListener("abort", () => bar.remove());
}

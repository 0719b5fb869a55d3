// So many cards in view, at any width: the style sheet says how many, by breakpoint.

/**
 * With `--per-view: 2.3` in its style, a strip whose items have one aspect is as high as lets so many stand in view. The
 * height is a whole px, so that readers share windows.
 */
export function perView(strip, signal) {
  const fit = () => {
    const count = Number(getComputedStyle(strip).getPropertyValue("--per-view"));
    const [one, next] = strip.items;
    if (!(count > 0) || !next) return;
    const gap = next.start - one.start - one.size;
    const size = (strip.clientWidth - gap * (Math.ceil(count) - 1)) / count;
    const height = Math.max(16, Math.round((size * strip.head.height) / one.size));
    if (height !== strip.head.height) strip.setAttribute("height", height);
  };
  const watch = new ResizeObserver(fit);
  watch.observe(strip);
  strip.addEventListener("windowchange", fit, { signal, once: true });
  signal.addEventListener("abort", () => watch.disconnect());
}

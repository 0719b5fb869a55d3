// How far ahead a strip requests windows.

/**
 * Prefetches as much as the reader's intent allows: `strip.intent` is 0 at first, and the strip requests only windows in
 * view. It is 1 once the whole strip is on the screen and the page is idle, and 2 once the reader has pointed at the
 * strip, touched it, focused it or scrolled it. With Save-Data or a slow connection, it is one less.
 */
export function prefetch(strip, on) {
  const { saveData, effectiveType } = navigator.connection ?? {};
  const saved = saveData || /2g/.test(effectiveType) ? 1 : 0;
  const raise = (intent) => {
    if (intent - saved <= strip.intent) return;
    strip.intent = intent - saved;
    strip.requestDraw();
  };
  let isArrived;
  on("settle", () => {
    isArrived = true;
  });
  on("scroll", () => isArrived && raise(2));
  on("pointermove pointerdown touchstart focusin", () => raise(2));
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  const place = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && whenIdle(() => raise(1)), { threshold: 1 });
  place.observe(strip);
  return () => place.disconnect();
}

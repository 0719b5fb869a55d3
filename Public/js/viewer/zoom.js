// Zooming into the picture of a viewer: by pinching, a double click or a double tap, Ctrl and the wheel, and keys.

const MAX_SCALE = 8;
const DOUBLE_CLICK = { scale: 2.5, time: 400, distance: 30 }; // ms and px

/** Where the middle of `points` is, and how far apart they are. A point is [x, y]. */
function span(points) {
  const middle = [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  const distance = points[1] ? Math.hypot(points[0][0] - points[1][0], points[0][1] - points[1][1]) : 0;
  return { middle, distance };
}

/**
 * Zooms the node that `pictureOf` returns, within `stage`. While it is zoomed in, the mouse and a finger move it, and the
 * stage has the attribute `data-zoomed`. Returns `by(factor)`, which zooms in the middle, and `reset()`. `onZoom` is called
 * with the picture and its scale.
 */
export function zoom(stage, on, pictureOf, onZoom) {
  let scale = 1;
  let place = [0, 0]; // the translation in px
  let picture;
  let gestureStart; // what fingers or the mouse hold: {points, scale, place}, as they were at first
  let lastClick;

  const show = () => {
    const { offsetWidth, offsetHeight } = picture;
    const image = picture.matches("img") ? picture : picture.querySelector("img");
    const { naturalWidth: width = 0, naturalHeight: height = 0 } = image ?? {};
    const fit = width && height ? Math.min(offsetWidth / width, offsetHeight / height) : 0;
    const sizes = fit ? [width * fit, height * fit] : [offsetWidth, offsetHeight];
    place = place.map((px, k) => {
      const limit = Math.max(0, (sizes[k] * scale - [offsetWidth, offsetHeight][k]) / 2);
      return Math.max(-limit, Math.min(limit, px));
    });
    picture.style.transform = scale > 1 ? `translate(${place[0]}px, ${place[1]}px) scale(${scale})` : "";
    stage.toggleAttribute("data-zoomed", scale > 1);
    onZoom(picture, scale);
  };

  const middle = () => {
    const { left, top, width, height } = stage.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };

  /** Zooms to `next`. What was at `from` moves to `to`: points of the window. */
  const zoomTo = (next, from, to = from, base = { scale, place }) => {
    picture = scale > 1 ? picture : pictureOf();
    if (!picture) return;
    const center = middle();
    scale = Math.max(1, Math.min(MAX_SCALE, next));
    place = [0, 1].map((k) => to[k] - center[k] - ((from[k] - center[k] - base.place[k]) * scale) / base.scale);
    show();
  };

  const beginGesture = (points) => (gestureStart = points.length && (points[1] || scale > 1) ? { points, scale, place } : null);

  const move = (points) => {
    const [from, to] = [span(gestureStart.points), span(points)];
    zoomTo(gestureStart.scale * (from.distance ? to.distance / from.distance : 1), from.middle, to.middle, gestureStart);
  };

  // Fingers: the strip scrolls with one of them, unless the picture is zoomed in.
  const pointsOf = ({ touches }) => [...touches].slice(0, 2).map(({ clientX, clientY }) => [clientX, clientY]);
  const touch = (event) => {
    if (event.type === "touchmove" && gestureStart && gestureStart.points.length === event.touches.length) move(pointsOf(event));
    else beginGesture(pointsOf(event));
    if (!gestureStart) return;
    event.stopPropagation();
    const isGesture = event.type === "touchmove" || event.touches.length > 1; // else it can become a tap
    if (isGesture && event.cancelable) event.preventDefault();
  };
  for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) stage.addEventListener(type, touch, { capture: true, passive: false });

  on("pointerdown", (event) => {
    if (event.pointerType === "touch" || event.button || scale === 1) return;
    beginGesture([[event.clientX, event.clientY]]);
    stage.setPointerCapture(event.pointerId);
    event.stopPropagation(); // the strip would be dragged
  }, stage, true);
  on("pointermove", ({ pointerType, clientX, clientY }) => {
    if (gestureStart && pointerType !== "touch") move([[clientX, clientY]]);
  }, stage);
  on("pointerup pointercancel", ({ pointerType }) => {
    if (pointerType !== "touch") gestureStart = null;
  }, stage);

  on("click", ({ timeStamp, clientX, clientY }) => {
    const isNear = ([x, y]) => Math.hypot(clientX - x, clientY - y) < DOUBLE_CLICK.distance;
    const isSecond = lastClick && timeStamp - lastClick.timeStamp < DOUBLE_CLICK.time && isNear(lastClick.point);
    lastClick = isSecond ? null : { timeStamp, point: [clientX, clientY] };
    if (isSecond) zoomTo(scale > 1 ? 1 : DOUBLE_CLICK.scale, [clientX, clientY]);
  }, stage);

  on("wheel", ({ ctrlKey, deltaX, deltaY, clientX, clientY }) => {
    const point = [clientX, clientY];
    if (ctrlKey) zoomTo(scale * Math.exp(-deltaY / 100), point);
    else if (scale > 1) zoomTo(scale, point, [clientX - deltaX, clientY - deltaY]);
    return ctrlKey || scale > 1 || Math.abs(deltaY) > Math.abs(deltaX) ? false : undefined; // the page behind would scroll
  }, stage);

  return {
    by: (factor) => zoomTo(scale * factor, middle()),
    reset: () => scale > 1 && zoomTo(1, middle()),
  };
}

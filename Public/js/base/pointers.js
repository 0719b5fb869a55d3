// The points at which fingers touch the window.

/** The points of touches: [x, y], in px of the window. */
export const pointsOf = (touches) => [...touches].map(({ clientX, clientY }) => [clientX, clientY]);

/** The middle of one or two points, and their distance. */
export function span(points) {
  const [[x, y], [otherX, otherY] = [x, y]] = points;
  return { middle: [(x + otherX) / 2, (y + otherY) / 2], distance: Math.hypot(x - otherX, y - otherY) };
}

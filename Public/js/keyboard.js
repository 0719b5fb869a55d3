// What a key asks of a strip.

const KEYS = {
  ...{ ArrowLeft: ["step", -1], ArrowRight: ["step", 1], PageUp: ["page", -1], PageDown: ["page", 1] },
  ...{ Home: ["end", -1], End: ["end", 1], Enter: ["select"], " ": ["select"] },
};

/**
 * The intention of a key press: "step", "page" or "end" with -1 or 1, or "select"; empty for keys that belong to the
 * browser. `sign` is -1 in a strip that runs from right to left, where the left arrow leads on.
 */
export function intention({ key, ctrlKey, altKey, metaKey, shiftKey }, sign = 1) {
  const [act, way] = (!(ctrlKey || altKey || metaKey || shiftKey) && KEYS[key]) || [];
  return { act, way: act === "step" ? sign * way : way };
}

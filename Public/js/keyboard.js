// What a key asks of a strip.

/**
 * The intention of a key press: `{step}`, `{page}` (-1 or 1), `{end}` (-1 or 1), `{select}`, or null. `sign` is -1 in a
 * strip that runs from right to left, where the left arrow leads on.
 */
export function intention({ key, ctrlKey, altKey, metaKey, shiftKey }, sign = 1) {
  if (ctrlKey || altKey || metaKey || shiftKey) return null;
  switch (key) {
    case "ArrowLeft":
      return { step: -sign };
    case "ArrowRight":
      return { step: sign };
    case "PageUp":
      return { page: -1 };
    case "PageDown":
      return { page: 1 };
    case "Home":
      return { end: -1 };
    case "End":
      return { end: 1 };
    case "Enter":
    case " ":
      return { select: true };
    default:
      return null;
  }
}

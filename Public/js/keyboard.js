// What a key asks of a strip.

/** The intention of a key press: `{step}`, `{page}` (-1 or 1), `{end}` (-1 or 1), `{select}`, or null. */
export function intention({ key, ctrlKey, altKey, metaKey, shiftKey }) {
  if (ctrlKey || altKey || metaKey || shiftKey) return null;
  switch (key) {
    case "ArrowLeft":
      return { step: -1 };
    case "ArrowRight":
      return { step: 1 };
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

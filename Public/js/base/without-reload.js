// Several attributes of a strip, with one reload.

/** Calls `change`, which sets attributes of a strip, and prevents that each of them begins a reload. Returns whether one is due. */
export function withoutReload(strip, change) {
  let isDue = false;
  const prevent = (event) => {
    if (event.target !== strip) return; // it is in a card
    event.preventDefault();
    event.stopImmediatePropagation();
    isDue = true;
  };
  strip.addEventListener("beforereload", prevent, true);
  try {
    change();
  } finally {
    strip.removeEventListener("beforereload", prevent, true);
  }
  return isDue;
}

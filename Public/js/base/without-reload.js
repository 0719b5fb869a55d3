// Several attributes of a strip, with one reload.

/** Calls `change`, which sets attributes of a strip. It begins no reload for any of them. Returns whether it would have. */
export function withoutReload(strip, change) {
  let isHeld = false;
  const hold = (event) => {
    if (event.target !== strip) return; // in a card
    event.preventDefault();
    event.stopImmediatePropagation();
    isHeld = true;
  };
  strip.addEventListener("beforereload", hold, true);
  change();
  strip.removeEventListener("beforereload", hold, true);
  return isHeld;
}

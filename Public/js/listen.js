// Listening for as long as something lives.

/** Calls `act` on each of the `types`, blanks between them, until `signal` aborts. */
export function listen(target, types, act, signal, options) {
  for (const type of types.split(" ")) target.addEventListener(type, act, { signal, ...options });
}

/** Calls `act` on a strip that is drawn: now, and whenever its place, its items or its size are others. */
export function whenDrawn(strip, act, signal) {
  if (strip.head) act();
  listen(strip, "draw", act, signal);
}

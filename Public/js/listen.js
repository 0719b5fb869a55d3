// Listening for as long as something lives.

/**
 * Begins a behaviour of `strip`: a function `(strip, on, how)`, which may return what is to be done at its end. Until
 * then `on(types, act, target)` calls `act` on each of the `types`, blanks between them, of the strip or another
 * `target`; where it returns false, the default is prevented. A strip that is drawn already tells "draw" at once.
 * Returns what ends it.
 */
export function begin(behaviour, strip, how) {
  const life = new AbortController();
  const on = (types, act, target = strip, capture = false) => {
    const hear = (event) => act(event) === false && event.preventDefault();
    for (const type of types.split(" ")) {
      target.addEventListener(type, hear, { signal: life.signal, capture, passive: /^touch/.test(type) });
    }
    if (types === "draw" && strip.head) act();
  };
  const end = behaviour(strip, on, how);
  return () => {
    life.abort();
    end?.();
  };
}

// When behaviours start and stop. Their event listeners stop with them. Documentation/Behaviours.md explains behaviours.

/**
 * Starts a behaviour: a function `(strip, on, value)`. Returns a function that stops it.
 *
 * `on(types, listener, target, capture)` adds a listener until the behaviour stops. `types` are separated by spaces.
 * The target is the strip unless another one is given. A listener that returns false prevents the default.
 * A listener for `draw` is also called at once if the strip is already drawn. Listeners of a strip do not hear of
 * events in a strip inside one of its cards.
 *
 * A behaviour may return a function that cleans up when it stops.
 */
export function start(behaviour, strip, value) {
  const lifetime = new AbortController();
  const on = (types, listener, target = strip, capture = false) => {
    const isOurs = (event) => target !== strip || event.composedPath().find((node) => node.localName === "carousel-strip") === strip;
    const handle = (event) => isOurs(event) && listener(event) === false && event.preventDefault();
    for (const type of types.split(" ")) {
      target.addEventListener(type, handle, { signal: lifetime.signal, capture, passive: /^touch/.test(type) });
    }
    if (types === "draw" && strip.meta) listener();
  };
  const cleanUp = behaviour(strip, on, value);
  return () => {
    lifetime.abort();
    cleanUp?.();
  };
}

/**
 * Makes a behaviour that runs while the strip has the attribute `name`. It gets the attribute's value, and restarts
 * when the value changes.
 */
export function withAttribute(name, behaviour) {
  return (strip) => {
    let stop;
    const restart = () => {
      const value = strip.getAttribute(name);
      stop?.();
      stop = value === null ? null : start(behaviour, strip, value);
    };
    const observer = new MutationObserver(restart);
    observer.observe(strip, { attributeFilter: [name] });
    restart();
    return () => {
      observer.disconnect();
      stop?.();
    };
  };
}

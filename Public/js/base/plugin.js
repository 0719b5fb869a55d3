// Plugins: when they start and stop, and the hooks that call them. Documentation/Plugins.md explains both.

/** Calls a function of a plugin. An error is reported, as that of a listener to an event, and the other plugins go on. */
function guarded(call) {
  try {
    return call();
  } catch (error) {
    reportError(error);
  }
}

/** Calls the listeners to a hook of a strip. `isMoving` and `snap` end at the first that returns true: returns true then. */
export function callHook(strip, name, value) {
  const listeners = strip.hooks[name];
  for (const listener of [...listeners]) { // a listener can add or remove others
    if (listeners.has(listener) && guarded(() => listener(value)) === true && /isMoving|snap/.test(name)) return true;
  }
}

/**
 * Starts a plugin: a function `(strip, on, value)`. Returns a function that stops it.
 *
 * `on(types, listener, target, capture)` adds a listener until the plugin stops. `types` are separated by spaces.
 * The target is the strip unless another one is given. A listener that returns false prevents the default.
 * Listeners of a strip do not hear of events in a strip inside one of its cards. `types` can also be the name of a hook.
 * A listener to a phase of a draw is also called at once if the strip is already drawn.
 *
 * A plugin may return a function that cleans up when it stops.
 */
export function startPlugin(plugin, strip, value) {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const on = (types, listener, target = strip, capture = false) => {
    const hook = target === strip && !signal.aborted && strip.hooks[types];
    if (hook) {
      hook.add(listener);
      signal.addEventListener("abort", () => hook.delete(listener));
      if (strip.meta && /beforeLayout|after/.test(types)) listener();
      return;
    }
    const isOurs = (event) => target !== strip || event.composedPath().find((node) => node.localName === "carousel-strip") === strip;
    const handle = (event) => isOurs(event) && listener(event) === false && event.preventDefault();
    for (const type of types.split(" ")) {
      target.addEventListener(type, handle, { signal, capture, passive: /^touch/.test(type) });
    }
  };
  const cleanUp = guarded(() => plugin(strip, on, value));
  return () => {
    lifetime.abort();
    if (cleanUp) guarded(cleanUp);
  };
}

/**
 * Makes a plugin that runs while the strip has the option `name`. It gets the option's text, and restarts when this
 * changes.
 */
export function withOption(name, plugin) {
  return (strip, on) => {
    let stop;
    const restart = (changed) => {
      if (changed !== name) return;
      stop?.();
      const value = strip.option(name);
      stop = value === null ? null : startPlugin(plugin, strip, value);
    };
    on("option", restart);
    restart(name);
    return () => stop?.();
  };
}

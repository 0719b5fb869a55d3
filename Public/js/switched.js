// Behaviours that an attribute turns on and off.
import { listen } from "./listen.js";

/** `behaviour` while the strip has the attribute `name`; it begins anew when that says something else. */
export function switched(name, behaviour) {
  return (strip, signal) => {
    let life = new AbortController();
    const turn = () => {
      life.abort();
      life = new AbortController();
      if (strip.hasAttribute(name) && !signal.aborted) behaviour(strip, life.signal, strip.getAttribute(name));
    };
    const watch = new MutationObserver(turn);
    watch.observe(strip, { attributeFilter: [name] });
    listen(signal, "abort", () => {
      watch.disconnect();
      turn();
    });
    turn();
  };
}

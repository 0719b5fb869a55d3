// Behaviours that an attribute turns on and off.
import { behaviours } from "./element.js";
import { begin } from "./listen.js";

/** Adds a behaviour that a strip has while it has the attribute `name`; it begins anew when that says something else. */
export function switched(name, behaviour) {
  behaviours.add((strip) => {
    let end;
    const turn = () => {
      const how = strip.getAttribute(name);
      end?.();
      end = how === null ? null : begin(behaviour, strip, how);
    };
    const watch = new MutationObserver(turn);
    watch.observe(strip, { attributeFilter: [name] });
    turn();
    return () => {
      watch.disconnect();
      end?.();
    };
  });
}

// The plugins and parts that are loaded only for strips that need them, by their names in optional.js.
import { ATTRIBUTES } from "./attributes.js";

/** Plugins that a strip needs for its first draw, with selectors of those strips. `isResponsive` says which strips need `customProperties`. */
export const OPTIONAL = {
  measure: ":has(>template[data-measure])",
  snap: "[snap],[selection=current]",
  history: "[history]",
  remember: "[remember]",
  effects: "[effects]",
  indicator: "[indicator]",
  autoplay: "[autoplay]",
  stickyHeading: ":has(>.group)",
};

/** Plugins that can come later. */
export const DEFERRED = { pairing: "[for]", liveUpdates: "[live]" };

/** Parts of the controls. */
export const OPTIONAL_PARTS = { scrubber: "[controls~=scrubber]", dots: "[controls~=dots]" };

/** Whether a strip needs something for its first draw. */
export const needsOptional = (strip) => strip.matches(Object.values({ ...OPTIONAL, ...OPTIONAL_PARTS })) || isResponsive(strip);

/** Whether custom properties set options of a strip. */
export function isResponsive(strip) {
  const style = getComputedStyle(strip);
  const isSet = (name) => style.getPropertyValue(`--${name}`);
  return isSet("per-view") || Object.keys(ATTRIBUTES).some((name) => ATTRIBUTES[name].isResponsive && isSet(`strip-${name}`));
}

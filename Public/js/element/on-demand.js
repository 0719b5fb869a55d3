// Defines <carousel-strip> with the behaviours of every strip. The optional ones are loaded when a strip needs them.
import "../embed.js"; // already loaded. So a bundle of this module has only what is not
import { create } from "../base/dom.js";
import { start } from "../base/lifecycle.js";
import { cardTemplate, defaultStyles } from "../cards/appearance.js";
import { tap } from "../selection/selection.js";
import { untilLoaded } from "../windows/server.js";
import { BREAKPOINTS, PROPERTIES } from "./attributes.js";
import { register } from "./behaviours.js";
import { CarouselStrip, behaviours } from "./carousel-strip.js";
import { OPTIONAL, WITH_OPTIONAL, release, replay } from "./first-window.js";

/** Which strips need an optional behaviour, and may need it when an attribute changes. Two can come after the first draw. */
const NEEDS = { ...OPTIONAL, pairing: "[for]", liveUpdates: "[live]" };

let optional; // that of optional.js
let loading; // a promise of it

const attempt = () => import("./optional-on-demand.js").then((found) => ({ optional } = found));
const load = () => (loading ??= untilLoaded(attempt));

/** Loads what a strip needs before it starts. After a failure the strip starts without it. False if it needs nothing more. */
function prepare(strip) {
  const style = getComputedStyle(strip);
  const isSet = (name) => style.getPropertyValue(`--strip-${name}`);
  return !optional && (strip.matches(WITH_OPTIONAL) || BREAKPOINTS.some(isSet)) && attempt().catch(() => {});
}

/** The optional behaviour, from when a strip needs it. */
function onDemand(name) {
  return (strip) => {
    let stop; // true once the strip has stopped
    const update = () => {
      if (stop || !strip.matches(NEEDS[name])) return;
      if (!optional) return load().then(update);
      observer.disconnect();
      stop = start(optional[name], strip);
    };
    const observer = new MutationObserver(update);
    observer.observe(strip, { attributeFilter: Object.keys(PROPERTIES) }); // the selectors name no others
    update();
    return () => {
      observer.disconnect();
      stop?.();
      stop = true;
    };
  };
}

/** Puts a part of optional.js in its place when it is loaded. */
function later(name) {
  return (strip, on) => {
    const place = create("span");
    load().then(() => place.replaceWith(optional[name](strip, on)));
    return place;
  };
}

/** Defines the element once the strips of the page can start. */
async function begin() {
  CarouselStrip.prepare = prepare;
  await Promise.all([...document.querySelectorAll("carousel-strip")].map(prepare));
  release();
  (customElements.get("carousel-strip") ?? CarouselStrip).card = cardTemplate(); // another bundle can have its own class
  register(onDemand, later, defaultStyles);
  replay(tap);
}

if (customElements.get("carousel-strip")) behaviours.add(defaultStyles); // the page has all of them: see define.js
else begin();

// Defines <carousel-strip> with the plugins of every strip. The optional ones are loaded when a strip needs them.
import "../embed.js"; // it is loaded already: this import keeps its code out of the bundle of this module
import { create } from "../base/dom.js";
import { startPlugin } from "../base/plugin.js";
import { cardTemplate } from "../cards/default-card.js";
import { defaultStyles } from "../cards/style-sheets.js";
import { tap } from "../selection/selection.js";
import { retryUntilLoaded } from "../server/retries.js";
import { CarouselStrip, plugins } from "./carousel-strip.js";
import { replay, removeStubs } from "./first-window.js";
import { DEFERRED, OPTIONAL, isResponsive, needsOptional } from "./optional-list.js";
import { register } from "./plugins.js";

let optional; // the plugins of optional.js, once they are loaded
let loading; // a promise of it

const importOptional = () => import("./optional-on-demand.js");
const setOptional = (module) => ({ optional } = module);
const loadOptional = () => (loading ??= retryUntilLoaded(importOptional).then(setOptional)); // a retry can import another address

/** Loads what a strip needs before it starts. After a failure the strip starts without it. False if it needs nothing more. */
const prepare = (strip) => !optional && needsOptional(strip) && importOptional().then(setOptional, () => {});

/** A plugin that starts the optional plugin `name` once a strip needs it. Custom properties can set the option of any plugin. */
function onDemand(name) {
  const selector = { ...OPTIONAL, ...DEFERRED }[name];
  const isNeeded = (strip) => Object.keys(strip.overrides)[0] || (selector ? strip.matches(selector) : isResponsive(strip));
  return (strip, on) => {
    let stop; // true once the strip has stopped
    const update = () => {
      if (stop || !isNeeded(strip)) return;
      if (optional) stop = startPlugin(optional[name], strip);
      else loadOptional().then(() => optional && update()); // in Firefox, a retry can load the module that the missing one imports, which has no plugins
    };
    on(selector ? "option" : "beforeLayout", update);
    update();
    return () => {
      stop?.();
      stop = true;
    };
  };
}

/** Puts a part of optional.js in its place when it is loaded. */
function placeholderFor(name) {
  return (strip, on) => {
    const placeholder = create("span");
    loadOptional().then(() => placeholder.replaceWith(optional[name](strip, on)));
    return placeholder;
  };
}

/** Defines the element once the strips of the page can start: until then, the style sheet reserves the space of their controls. */
async function start() {
  const isDefined = customElements.get("carousel-strip"); // by the page, with all plugins: see define.js
  if (!isDefined) {
    CarouselStrip.prepare = prepare;
    await Promise.all([...document.querySelectorAll("carousel-strip")].map(prepare));
  }
  removeStubs();
  (customElements.get("carousel-strip") ?? CarouselStrip).card = cardTemplate(); // another bundle can have its own class
  if (isDefined) plugins.add(defaultStyles);
  else register(onDemand, placeholderFor, defaultStyles);
  replay(tap);
}

start();

// The elements as React components. Of <carousel-strip> it imports only names, so that it renders on a server too.
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef, useState } from "react";
import { EVENTS } from "./js/element/attributes.js";

/** The events of the element, by the names of the properties that listen to them. */
const LISTENERS = new Map(EVENTS.map((type) => [`on${type[0].toUpperCase()}${type.slice(1)}`, type]));

/** Names of React properties that differ from those of attributes. React renames none of a custom element. */
const ATTRIBUTES = { className: "class", initialIndex: "initial-index", initialItem: "initial-item" };

/** Properties as React needs them for a custom element: true is an attribute without a value, and false is none. */
function attributesOf(properties) {
  const given = Object.entries(properties).filter(([, value]) => value !== false && value != null);
  return Object.fromEntries(given.map(([name, value]) => [ATTRIBUTES[name] ?? name, value === true ? "" : value]));
}

/** The HTML that `drawStrip` returned, with the attributes of the component. Of two equal names, the first one counts. */
function withAttributes(html, { style, ...attributes }) {
  const escaped = (value) => String(value).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return html.replace("<carousel-strip", (tag) => tag + text.join(""));
}

/** Sets attributes of an element, and removes those of `former` that are no longer there. */
function setAttributes(element, { style, ...attributes }, former) {
  Object.assign(element.style, style);
  for (const name of Object.keys(former)) if (name !== "style" && !(name in attributes)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

/** Children for the browser only: React 18 draws those of custom elements only there. */
function useChildren(children) {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return isMounted ? children : undefined;
}

/**
 * Draws a strip on the server: requests its first cards from the strips' server. Returns HTML for the property `html` of
 * `CarouselStrip`. `properties` are those of the component, and `window` has parameters of `/window`, such as `width`.
 */
export async function drawStrip(server, properties, window) {
  const { strip, list, where, q, sort, height, loop, snap, initialIndex: index, initialItem: item } = properties;
  const align = (index ?? item) == null ? null : /start|center|end/.exec(snap)?.[0];
  const query = { strip, list, where, q, sort, height, wrap: loop || null, index, item, align, width: 1280, overscan: 128, ...window };
  const given = Object.entries(query).filter(([, value]) => value != null);
  const url = new URL("window", server);
  url.search = new URLSearchParams([...given, ["format", "element"]]);
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${text}`);
  return text.trim();
}

/**
 * Properties are those of the element. `templates` is an object of the HTML of cards, by kind. `html` is the result of
 * `drawStrip`. The browser gets the same text, or an empty one. Then the element is in a `<div>`, and has no `children`.
 */
export const CarouselStrip = forwardRef(function CarouselStrip({ templates, html, children, ...properties }, ref) {
  const element = useRef(null);
  const listeners = useRef({});
  const former = useRef({}); // attributes
  const isListener = ([name]) => LISTENERS.has(name);
  const entries = Object.entries(properties);
  const current = Object.fromEntries(entries.filter(isListener).map(([name, value]) => [LISTENERS.get(name), value]));
  const attributes = attributesOf(Object.fromEntries(entries.filter((entry) => !isListener(entry))));
  const isDrawn = html !== undefined;
  const shown = useChildren(children);
  // React replaces the element when this text changes. So it stays that of the first rendering, and effects update the element.
  const [content] = useState(() => ({ __html: withAttributes(html ?? "", attributes) }));
  useImperativeHandle(ref, () => element.current);
  useEffect(() => {
    listeners.current = current;
    if (isDrawn) setAttributes(element.current, attributes, former.current);
    former.current = attributes;
  });
  useEffect(() => {
    const strip = element.current;
    const call = (event) => event.target === strip && listeners.current[event.type]?.(event);
    for (const type of EVENTS) strip.addEventListener(type, call);
    return () => {
      for (const type of EVENTS) strip.removeEventListener(type, call);
    };
  }, []);
  useEffect(() => {
    for (const [kind, content] of Object.entries(templates ?? {})) {
      if (element.current.querySelector(`:scope > template[data-kind="${kind}"]`)) continue;
      const template = document.createElement("template");
      template.innerHTML = content;
      template.dataset.kind = kind;
      element.current.append(template);
    }
  }, []);
  if (!isDrawn) return createElement("carousel-strip", { ...attributes, ref: element }, shown);
  const setElement = (parent) => {
    element.current = parent && (parent.firstElementChild ?? parent.appendChild(document.createElement("carousel-strip")));
  };
  return createElement("div", { ref: setElement, dangerouslySetInnerHTML: content, suppressHydrationWarning: true });
});

/** A component of an element that filters a strip. The browser loads the element. */
function filter(tag, load) {
  return forwardRef(function Filter({ children, ...properties }, ref) {
    useEffect(() => {
      load();
    }, []);
    return createElement(tag, { ...attributesOf(properties), ref }, useChildren(children));
  });
}

export const CarouselSearch = filter("carousel-search", () => import("./js/filters/search.js"));
export const CarouselFacets = filter("carousel-facets", () => import("./js/filters/facets.js"));
export const CarouselFilters = filter("carousel-filters", () => import("./js/filters/filters.js"));

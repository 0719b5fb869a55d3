// <carousel-strip> as a React component. Of the element it imports only names, so that it renders on a server too.
import { createElement, forwardRef, useEffect, useImperativeHandle, useRef } from "react";
import { EVENTS } from "./js/element/attributes.js";

/** The events of the element, by the names of the properties that listen to them. */
const LISTENERS = new Map(EVENTS.map((type) => [`on${type[0].toUpperCase()}${type.slice(1)}`, type]));

/** Names of React properties that differ from those of attributes. React renames none of a custom element. */
const ATTRIBUTES = { className: "class", initialIndex: "initial-index", initialItem: "initial-item" };

/** Properties are those of the element. `templates` is an object of the HTML of cards, by kind. */
export const CarouselStrip = forwardRef(function CarouselStrip({ templates, ...properties }, ref) {
  const element = useRef(null);
  const listeners = useRef({});
  const attributes = { ref: element };
  const current = {};
  for (const [name, value] of Object.entries(properties)) {
    const type = LISTENERS.get(name);
    if (type) current[type] = value;
    else if (value === true) attributes[ATTRIBUTES[name] ?? name] = "";
    else if (value !== false && value != null) attributes[ATTRIBUTES[name] ?? name] = value;
  }
  useImperativeHandle(ref, () => element.current);
  useEffect(() => {
    listeners.current = current;
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
    for (const [kind, html] of Object.entries(templates ?? {})) {
      if (element.current.querySelector(`:scope > template[data-kind="${kind}"]`)) continue;
      const template = document.createElement("template");
      template.innerHTML = html;
      Object.assign(template.dataset, { kind, own: "" });
      element.current.append(template);
    }
  }, []);
  return createElement("carousel-strip", attributes);
});

// What is known of the selected item.
import { placeOf } from "./labels.js";
import { harmless } from "./links.js";

const SHOWN_ELSEWHERE = new Set(["title", "subtitle", "image", "alt", "color", "href"]);

/** Shows the fields of `item`, one of `count`, in `section`. */
export function showDetails(section, { index, id, fields }, count) {
  const place = `${placeOf(index, count).toLocaleString("en")} of ${count.toLocaleString("en")}`;
  const rest = Object.entries(fields).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
  const text = element(
    "div",
    element("p", place),
    element("h2", fields.title ?? id),
    fields.subtitle && element("p", fields.subtitle),
    rest.length > 0 && element("dl", ...rest.map(([name, value]) => row(name, value))),
    link(fields.href),
  );
  text.children[0].className = "place";
  text.className = "words";
  section.replaceChildren(...[picture(fields), text].filter(Boolean));
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children.filter(Boolean).map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

function row(name, value) {
  const words = name.replaceAll(/[_-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return element("div", element("dt", words), element("dd", String(value) || "—"));
}

function picture({ image, alt = "" }) {
  if (!image) return null;
  const made = document.createElement("img");
  made.alt = alt;
  made.addEventListener("error", () => made.remove());
  made.src = image.replaceAll("{w}", Math.ceil(320 * devicePixelRatio));
  return made;
}

function link(href) {
  if (!href || !harmless(href)) return null;
  const url = new URL(href, document.baseURI);
  const made = element("a", url.host === location.host ? "Open" : `Open at ${url.host || url.pathname}`);
  made.href = href;
  made.rel = "noreferrer";
  return made;
}

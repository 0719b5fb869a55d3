// What all galleries share: the element, the links to the other galleries, and the panel with the code.
import { cardTemplate } from "/js/cards/default-card.js";
import { CarouselStrip } from "/js/element/carousel-strip.js";
import { define } from "/js/element/define.js";
import { create } from "/js/base/dom.js";
import { connectMenu } from "/js/page/menu.js";
import { query, sayMissing } from "./links.js";

CarouselStrip.card = cardTemplate();
define();

const GALLERIES = {
  wall: "Photo wall",
  grid: "Product grid",
  products: "Product row",
  hero: "Hero slides",
  shelves: "Shelves",
  timeline: "Timeline",
  albums: "Album browser",
  thumbnails: "Thumbnails",
  cards: "Centered cards",
  table: "Table",
  modules: "Mixed cards",
  menu: "Tabs",
  options: "Option bar",
  playlist: "Playlist",
  embedding: "In your page",
  race: "A billion against a list",
};

const links = Object.entries(GALLERIES).map(([name, title]) => {
  const path = `/galleries/${name}.html`;
  const link = create("a", { href: path + query }, title);
  if (path === location.pathname) link.ariaCurrent = "page";
  return create("li", {}, link);
});

const masthead = document.querySelector(".masthead");
for (const link of masthead.querySelectorAll("a")) link.search = query;
const [, name] = location.pathname.match(/([^/]+)\.html$/);
const menu = create("details", { className: "menu" }, create("summary", {}, GALLERIES[name]), create("div", {}, create("ul", {}, ...links)));
masthead.append(create("nav", { ariaLabel: "Galleries" }, menu));
connectMenu(menu);

// Each gallery shows its own code. The files load when a visitor opens the panel.
const code = create("details", { className: "code" }, create("summary", {}, "Code of this page"));
code.addEventListener("toggle", () => ["html", "js"].forEach((type) => showFile(`${name}.${type}`)), { once: true });
const files = create("div", { className: "files" });
code.append(files);
document.querySelector("main").append(code);

// In a large window the panel is open. It opens when the strip is at rest, below everything else, so that nothing shifts.
const fillWindow = () => (code.open ||= matchMedia("(width >= 64rem) and (height >= 55rem)").matches);
if (document.querySelector("carousel-strip")) document.addEventListener("settle", fillWindow, { once: true });
else fillWindow();

async function showFile(file) {
  const text = create("pre", { tabIndex: 0, role: "region", ariaLabel: file });
  files.append(create("div", {}, create("p", {}, file), text));
  const response = await fetch(file).catch(() => null);
  text.textContent = response?.ok ? await response.text() : `${file} did not load.`;
}

// The galleries show the built-in strips, which a server with a database does not have.
document.addEventListener("error", ({ target, detail }) => {
  if (detail?.status !== 404) return;
  sayMissing(target.getAttribute("strip"));
});
// It has another strip now.
document.addEventListener("reload", () => document.querySelector("main").classList.remove("without"));

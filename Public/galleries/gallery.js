// What all galleries have: the element, and the way to the others.
import "/js/complete.js";
import { make } from "/js/make.js";

const GALLERIES = {
  options: "Option bar",
  albums: "Album browser",
  menu: "Menu",
  modules: "Modules",
  cards: "Cards",
  embedding: "Embedding",
  race: "Race",
};

const links = Object.entries(GALLERIES).map(([name, title]) => {
  const href = `/galleries/${name}.html`;
  const link = make("a", { href }, title);
  if (href === location.pathname) link.ariaCurrent = "page";
  return make("li", {}, link);
});

document.querySelector(".masthead").append(
  make("p", { className: "name" }, make("a", { href: "/" }, "carousel")),
  make("nav", { ariaLabel: "Galleries" }, make("ul", {}, ...links)),
);

// The strips are those that `carousel serve` has of its own: a server of a database has others.
document.addEventListener("error", ({ target, detail }) => {
  if (detail?.status !== 404) return;
  const words = `This server has no strip “${target.getAttribute("strip")}”: the galleries show those that it has without a database.`;
  const missing = document.querySelector(".missing") ?? make("p", { className: "missing", role: "status" });
  missing.textContent = words;
  document.querySelector("main").prepend(missing);
});

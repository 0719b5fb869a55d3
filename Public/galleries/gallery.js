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

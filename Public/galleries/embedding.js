// Embedding: a page to copy, with the address of this server, and a card with a canvas.
import "./gallery.js";
import { connectCanvases } from "./canvas-card.js";
import { connectFavourites } from "./favourites.js";

const { origin } = location;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src ${origin}">
<title>A page with a strip</title>
<script type="module" src="${origin}/js/embed.js"></script>
<carousel-strip strip="albums" aria-label="Albums"></carousel-strip>
`;

const strip = document.querySelector("carousel-strip");
connectCanvases(strip);
connectFavourites(strip);

document.getElementById("page").textContent = PAGE;
document.getElementById("card").textContent = strip.querySelector("template").outerHTML;
document.getElementById("hooks").textContent = await fetch("canvas-card.js").then((response) => response.text());
document.getElementById("state").textContent = await fetch("favourites.js").then((response) => response.text());

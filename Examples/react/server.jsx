// Renders the page once, with the first cards of the strip in it: node server.js > index.html
import { renderToString } from "react-dom/server";
import { App } from "./app.jsx";

const STRIPS = "http://127.0.0.1:8080";
const query = new URLSearchParams({
  strip: "albums", width: 1280, overscan: 128, format: "element", "attr-controls": "previous next", "attr-aria-label": "Albums",
});
const html = await fetch(STRIPS + "/window?" + query).then((answer) => answer.text());

console.log(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A strip in React</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STRIPS}/css/strip.css">
<script type="module" src="${STRIPS}/js/embed.js"></script>
<script type="module" src="client.js"></script>
<div id="root">${renderToString(<App html={html} />)}</div>`);

// The peeking cards: the current one is told when it comes to rest.
import "./gallery.js";
import { say } from "/js/template.js";

const strip = document.querySelector("carousel-strip");
const current = document.getElementById("current");

strip.addEventListener("settle", ({ detail: item }) => say(current, item?.fields?.title ?? ""));

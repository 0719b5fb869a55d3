// The peeking cards: the current one is told when it comes to rest.
import "/js/complete.js";
import { page } from "/js/paging.js";
import { say } from "/js/template.js";

const strip = document.querySelector("carousel-strip");
const current = document.getElementById("current");

strip.addEventListener("settle", ({ detail: item }) => say(current, item?.fields?.title ?? ""));
document.getElementById("back").addEventListener("click", () => page(strip, -1));
document.getElementById("on").addEventListener("click", () => page(strip, 1));

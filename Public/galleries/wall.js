// The wall: the form scrolls to the first picture of a year.
import "./gallery.js";

const strip = document.querySelector("carousel-strip");
const form = document.querySelector(".year");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { elements: { year } } = form;
  const response = await fetch(`/window?${new URLSearchParams({ strip: strip.strip, where: `year >= ${year.value}`, width: 1 })}`);
  const { items: [first] } = response.ok ? await response.json() : { items: [] };
  if (first) strip.scrollTo({ item: first.id });
});

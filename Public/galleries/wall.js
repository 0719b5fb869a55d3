// The wall: the form scrolls to the first picture of a year.
import "./gallery.js";
import { isRejected, retryUntilLoaded } from "/js/server/retries.js";

const strip = document.querySelector("carousel-strip");
const form = document.querySelector(".year");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { elements: { year } } = form;
  const load = () => strip.fetchJSON("window", { strip: strip.strip, where: `year >= ${year.value}`, width: 1 });
  const { items: [first] } = await retryUntilLoaded(load, isRejected); // the server can be busy
  if (first) strip.scrollTo({ item: first.id });
});

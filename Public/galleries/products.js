// The product row: the bag has items by id, because a card shows one item after another.
import "./gallery.js";
import { setText } from "/js/base/text.js";

const strip = document.querySelector("carousel-strip");
const line = document.querySelector(".bag");
const bag = new Set();

strip.addEventListener("willdisplay", ({ detail: { item, node } }) => show(node.querySelector(".add"), item.id));

strip.addEventListener("click", ({ target }) => {
  const button = target.closest(".add");
  if (!button) return;
  const { id } = button.closest("[data-id]").dataset;
  if (!bag.delete(id)) bag.add(id);
  show(button, id);
  setText(line, bag.size ? `${bag.size} in your bag.` : "Your bag is empty.");
});

function show(button, id) {
  if (!button) return;
  button.ariaPressed = bag.has(id);
  button.firstChild.data = bag.has(id) ? "Added" : "Add"; // the card restores this node for its next item
}

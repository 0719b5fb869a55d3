// Favorites: a heart on each card. The page keeps them by id, because a node shows one item after another.

/** Marks the hearts of favorites when cards get their items, and changes them by clicks. */
export function connectFavourites(strip) {
  const favourites = new Set();
  strip.addEventListener("willdisplay", ({ detail: { item, node } }) => {
    const heart = node.querySelector(".heart");
    if (heart) heart.ariaPressed = favourites.has(item.id);
  });
  strip.addEventListener("click", ({ target }) => {
    const heart = target.closest(".heart");
    if (!heart) return;
    const { id } = heart.closest("[data-id]").dataset;
    if (!favourites.delete(id)) favourites.add(id);
    heart.ariaPressed = favourites.has(id);
  });
}

// A node shows one item after another. So the page keeps hearts by id, and sets them when a card gets an item.
const strip = document.querySelector("carousel-strip");
const onlyFavourites = document.querySelector("input");
const favourites = new Set(JSON.parse(localStorage.favourites ?? "[]"));

strip.addEventListener("willdisplay", ({ detail: { item, node } }) => {
  node.querySelector(".heart").ariaPressed = favourites.has(item.id);
});

strip.addEventListener("click", ({ target }) => {
  if (!target.matches(".heart")) return;
  const { id } = target.closest("[data-id]").dataset;
  if (!favourites.delete(id)) favourites.add(id);
  target.ariaPressed = favourites.has(id);
  localStorage.favourites = JSON.stringify([...favourites]);
});

// A filter has at most 64 ids here. A backend stores longer lists with `POST /strips/albums/lists`.
onlyFavourites.addEventListener("change", () => {
  const ids = [...favourites].slice(0, 64).map((id) => JSON.stringify(id));
  strip.where = onlyFavourites.checked ? `id IN [${ids}]` : null;
});

// A node shows one item after another. So the page keeps hearts by id, and sets them when a card gets an item.
const STRIPS = "http://127.0.0.1:8080";
const strip = document.querySelector("carousel-strip");
const onlyFavourites = document.querySelector("input");
const count = document.querySelector("output");
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
  show();
});

onlyFavourites.addEventListener("change", show);
forgetRemoved().then(show);

/** Shows the number of favorites. With the filter on, a card leaves the strip when its heart is taken off. */
function show() {
  count.textContent = favourites.size;
  // A filter has at most 64 ids here. A backend stores longer lists with `POST /strips/albums/lists`.
  const ids = [...favourites].slice(0, 64).map((id) => JSON.stringify(id));
  strip.where = onlyFavourites.checked ? `id IN [${ids}]` : null;
}

/** Forgets favorites that the strip no longer has. One request asks for at most 200. */
async function forgetRemoved() {
  const ids = [...favourites].slice(0, 200);
  if (!ids[0]) return;
  const answer = await fetch(`${STRIPS}/strips/albums/items?ids=${encodeURIComponent(JSON.stringify(ids))}`);
  if (!answer.ok) return;
  const { items } = await answer.json();
  const found = new Set(items.map(({ id }) => id));
  for (const id of ids) if (!found.has(id)) favourites.delete(id);
}

// Shelves: other strips, or the albums of a wall, each as a strip in one row.
import { create } from "../base/dom.js";
import { copyTemplates } from "../cards/template.js";
import { withValues } from "../filters/clauses.js";
import { isRejected, retryUntilLoaded } from "../server/retries.js";

/** The field that has the album of an item. */
const ALBUM = "album";

/** Shows the page's other strips as shelves at the end of `main`, if the window has room for one. */
export function addShelves(strip, main) {
  if (!matchMedia("(height >= 52rem)").matches) return;
  for (const { href, textContent } of document.querySelectorAll('.masthead nav > ul > li > a[href^="/?strip="]:not([aria-current])')) {
    const { searchParams } = new URL(href);
    main.append(shelf(strip, textContent, href, "item", { strip: searchParams.get("strip") }));
  }
}

/**
 * Shows the albums of a strip in `box` when a reader opens it, each with its number of pictures. An album is a view of the strip. Without
 * albums there is no box.
 */
export function addAlbums(strip, box, countText) {
  if (!box || !document.querySelector(`carousel-facets[field="${ALBUM}"]`)) return;
  box.hidden = false;
  box.addEventListener("toggle", async () => {
    const load = () => strip.fetchJSON(`strips/${strip.strip}/facets`, { field: ALBUM, limit: 200 });
    const { facets: [{ values }] } = await retryUntilLoaded(load, isRejected).catch(() => ({ facets: [{ values: [] }] }));
    box.hidden = !values.length;
    for (const { value, count } of values) {
      const where = withValues("", ALBUM, [value]);
      const address = new URL(location);
      address.search = "";
      for (const [name, text] of Object.entries({ strip: strip.strip, where, lang: document.documentElement.lang })) address.searchParams.set(name, text);
      const album = shelf(strip, value, address.href, "picture", { strip: strip.strip, where, height: 140 });
      album.querySelector("h2").after(create("p", { className: "count" }, countText(count)));
      box.append(album);
    }
  }, { once: true });
}

/** A strip with a title. The title leads to the page `href`, and a tap opens it at the item: its parameter `name`. */
function shelf(strip, title, href, name, attributes) {
  const shelf = create("carousel-strip", { ariaLabel: title });
  const all = { ...attributes, layout: "strip", controls: "previous next" };
  for (const [key, value] of Object.entries(all)) shelf.setAttribute(key, value);
  const templates = copyTemplates(strip);
  const facts = attributes.strip === strip.strip ? [] : templates.flatMap(({ content }) => [...content.querySelectorAll(".fact, .instead")]);
  for (const fact of facts) fact.remove(); // those of the page's strip
  shelf.append(...templates);
  shelf.addEventListener("select", ({ detail: { id } }) => location.assign(`${href}&${name}=${encodeURIComponent(id)}`));
  return create("section", { className: "more" }, create("h2", {}, create("a", { href }, title)), shelf);
}

// The links to other strips, languages and layouts.

/** In a small window, the links are one line that scrolls: shows the current one in its middle. */
export function showCurrent(link = document.querySelector(".masthead a[aria-current]")) {
  const line = link?.closest("ul");
  if (!line) return;
  const [linkBox, lineBox] = [link, line].map((element) => element.getBoundingClientRect());
  line.scrollLeft += linkBox.x + linkBox.width / 2 - lineBox.x - lineBox.width / 2;
}

/** Filters the menu of strips while the reader types. Closes a menu on Escape, on a click beside it, and when the focus leaves it. */
export function connectMenu(menu) {
  menu.querySelector("input")?.addEventListener("input", ({ target }) => {
    const text = target.value.trim().toLocaleLowerCase();
    for (const line of menu.querySelectorAll("li")) {
      line.hidden = !line.textContent.toLocaleLowerCase().includes(text);
    }
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
  });
  document.addEventListener("click", ({ target }) => {
    if (!menu.contains(target)) menu.open = false;
  });
}

/** The links to other languages and layouts keep what the address has now: the view and the position. */
export function connectLinks(strip) {
  for (const link of document.querySelectorAll("[hreflang], .layouts a")) {
    const [name, value] = [...new URL(link.href).searchParams].findLast(([name]) => name === (link.hreflang ? "lang" : "layout"));
    link.addEventListener("click", () => {
      const url = new URL(location);
      url.searchParams.set(name, value);
      url.searchParams.set("strip", strip.strip);
      if (name === "layout") for (const old of ["offset", "at"]) url.searchParams.delete(old); // another layout has other places
      link.href = url;
    });
  }
}

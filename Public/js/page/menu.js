// The menu of strips in the line at the top.

/** Filters the menu of strips while the reader types. Closes it on Escape, and when the focus leaves it. */
export function connectMenu(menu) {
  menu?.querySelector("input").addEventListener("input", ({ target }) => {
    const text = target.value.trim().toLocaleLowerCase();
    for (const line of menu.querySelectorAll("li")) {
      line.hidden = !line.textContent.toLocaleLowerCase().includes(text);
    }
  });
  menu?.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu?.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
  });
}

// The galleries are in English. Their links keep the language of the page.

const lang = new URLSearchParams(location.search).get("lang");

/** The query of a link to another page. */
export const query = lang ? `?${new URLSearchParams({ lang })}` : "";

/** Says in the place of a gallery that the server lacks its strip, and leads to those that it has. */
export function sayMissing(name) {
  const main = document.querySelector("main");
  const notice = main.querySelector(".missing") ?? document.createElement("p");
  const own = Object.assign(document.createElement("a"), { href: `/${query}`, textContent: "Your strips are on the first page." });
  Object.assign(notice, { className: "missing", role: "status" });
  notice.replaceChildren(`This server has no strip “${name}”. The galleries need the built-in strips: run “carousel serve” without a database. `, own);
  main.classList.add("without");
  main.prepend(notice);
}

// Marks the part in view in the list of the page's parts, and scrolls the two lists to what is marked.
const links = [...document.querySelectorAll(".toc a")];
const parts = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))));
let current;

function reveal(link) {
  const list = link.closest("nav");
  const top = link.offsetTop - list.scrollTop;
  if (top < 32 || top > list.clientHeight - 120) list.scrollTop = link.offsetTop - list.clientHeight / 2;
}

function mark() {
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1; // where a short part never reaches the top
  const link = isAtEnd ? links.at(-1) : links[parts.findLastIndex((part) => part.getBoundingClientRect().top < innerHeight / 4)];
  if (link === current) return;
  current?.removeAttribute("aria-current");
  current = link;
  if (!link) return;
  link.setAttribute("aria-current", "true");
  reveal(link);
}

reveal(document.querySelector(".pages [aria-current]"));
document.addEventListener("scroll", mark, { passive: true });
mark();

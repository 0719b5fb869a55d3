// The search of the documentation: the parts that have all words, those with the words in their title first.
const input = document.querySelector(".masthead [type=search]");
const list = document.querySelector(".found");
const MOST = 12;
let index;

async function find() {
  index ??= fetch("search/search_index.json").then((answer) => answer.json());
  const { docs } = await index;
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const found = docs.filter(({ title, text }) => words.length && has(`${title} ${text}`));
  found.sort((one, other) => has(other.title) - has(one.title));
  list.replaceChildren(...found.slice(0, MOST).map(entry));
  list.hidden = !found.length;
}

function entry({ location, title, text }) {
  const link = document.createElement("a");
  const line = document.createElement("small");
  link.href = location;
  line.textContent = text.slice(0, 90);
  link.append(title, line);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

input.addEventListener("input", find);
input.closest("search").addEventListener("keydown", ({ key }) => {
  if (key === "Escape") list.hidden = true;
});
document.addEventListener("click", ({ target }) => {
  if (!target.closest("search") || target.closest(".found a")) list.hidden = true;
});

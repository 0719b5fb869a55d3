// The search of the documentation: the parts that have all words, in American or British spelling, those with the words in their title first. Arrow
// keys move between them.
const input = document.querySelector(".masthead [type=search]");
const list = document.querySelector(".found");
const status = document.querySelector(".masthead [role=status]");
const MOST = 12;
const LENGTH = 150; // of a snippet, in characters
let index;

async function find() {
  index ??= fetch("search/search_index.json").then((answer) => answer.json());
  const { docs } = await index;
  const words = input.value.split(/\s+/).filter(Boolean).map(pattern);
  const has = (text) => words.every((word) => new RegExp(word, "i").test(text));
  const all = docs.filter(({ title, text }) => words.length && has(`${title} ${text}`));
  // A page has an entry for all of its text, and one for each part.
  const found = all.filter(({ location }) => location.includes("#") || !all.some((part) => part.location.startsWith(`${location}#`)));
  found.sort((one, other) => has(other.title) - has(one.title));
  const none = create("li", { className: "none" }, "Nothing found.");
  const pages = new Map(docs.map(({ location, title }) => [location, title]));
  list.replaceChildren(...(found.length ? found.slice(0, MOST).map((part) => entry(part, words, pages)) : [none]));
  status.textContent = !words.length ? "" : found.length === 1 ? "1 part found" : `${found.length || "No"} parts found`;
  show(words.length > 0);
}

/** A regular expression for a word in both spellings: favorites and favourites, center and centre, normalize and normalise, gray and grey. */
function pattern(word) {
  return word.replace(/\W/g, "\\$&").replace(/ou?r/gi, "ou?r").replace(/t(er|re)(?=s?$)/i, "t(?:er|re)")
    .replace(/i[sz](e|i|a)/gi, "i[sz]$1").replace(/gr[ae]y/gi, "gr[ae]y");
}

function create(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** A text without its code, which reference.py marks, and without tags and placeholders. Names of elements, such as <template>, stay. */
const plain = (text) => text.replace(/\ue000[^\ue001]*\ue001/g, "\ue002").replace(/<\/[^>]*>|<[\w-]+\s[^<>]*>|\{[\w.|-]+\}/g, " ").replace(/\s+([,.;:])?/g, (_, sign) => sign ?? " ");

/** The sentence of a text that has the most of the words, no code if it can, from some words before the first one that it has. */
function snippet(text, words) {
  const at = (sentence, word) => sentence.search(new RegExp(word, "i"));
  const count = (sentence) => words.filter((word) => at(sentence, word) >= 0).length - (/["={}\\|]/.test(sentence) ? 0.5 : 0);
  const sentence = text.split(/(?<=[.:?!]) +| *\ue002 */).reduce((best, one) => (!best || count(one) > count(best) ? one : best));
  const hit = Math.min(...words.map((word) => at(sentence, word)).filter((place) => place >= 0), sentence.length);
  const start = hit > 100 && hit < sentence.length ? sentence.indexOf(" ", hit - 60) + 1 : 0;
  const end = sentence.length > start + LENGTH ? sentence.lastIndexOf(" ", start + LENGTH) : sentence.length;
  return `${start ? "… " : ""}${sentence.slice(start, end)}${end < sentence.length ? " …" : ""}`;
}

/** The text with its words marked. */
function marked(text, words) {
  const any = new RegExp(`(${words.join("|")})`, "i");
  return text.split(any).map((part, k) => (k % 2 ? create("mark", {}, part) : part));
}

/** A part that was found: its title, the title of its page if that is another, and a snippet. */
function entry({ location, title, text }, words, pages) {
  const page = pages.get(location.split("#")[0]);
  const name = page && page !== title ? [create("span", { className: "page" }, page)] : [];
  return create("li", {}, create("a", { href: location }, title, ...name, create("small", {}, ...marked(snippet(plain(text), words), words))));
}

function show(isShown) {
  list.hidden = !isShown;
}

input.addEventListener("input", find);
input.closest("search").addEventListener("keydown", (event) => {
  const stops = [input, ...list.querySelectorAll("a")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    input.focus();
    show(false);
  } else if (event.key === "Enter" && event.target === input) stops[1]?.click();
  else if (step && !list.hidden) {
    event.preventDefault();
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  }
});
document.addEventListener("click", ({ target }) => {
  if (!target.closest("search") || target.closest(".found a")) show(false);
});

// The words of a text, folded as on the server (WordTokenizer.swift), and which of them a search finds.

/** Letters that do not decompose, as people type them. */
const SPELLINGS = { ı: "i", ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ς: "σ" };
const foldCache = new Map(); // characters that texts had

function fold(character) {
  let folded = foldCache.get(character);
  if (folded === undefined) {
    const letters = character.normalize("NFKD").replace(/[\p{Mn}\p{Cf}\u0640]/gu, "").toLowerCase();
    folded = letters.replace(/./gu, (letter) => SPELLINGS[letter] ?? letter);
    foldCache.set(character, folded);
  }
  return folded;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const CHAIN = /[\p{L}\p{M}\p{N}]+(?:[-‐'’.,/&][\p{L}\p{M}\p{N}]+)*/gu; // words with one of these characters between them
/** Scripts that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The chains of a text, each a list of folded words with their places in the text. A word of no chain is alone. */
function* chains(text) {
  let folded = "";
  const places = []; // where each unit of `folded` is in the text
  let end = 0;
  for (const character of text) {
    const start = end;
    end += character.length;
    const units = fold(character).split("");
    if (!units.length && places.length) places.at(-1).end = end; // a mark
    for (const unit of units) {
      folded += unit;
      places.push({ start, end });
    }
  }
  for (const { 0: chain, index: first } of folded.matchAll(CHAIN)) {
    yield [...chain.matchAll(WORD)].map(({ 0: word, index }) => ({ word, places: places.slice(first + index, first + index + word.length) }));
  }
}

const joined = (chain) => chain.map(({ word }) => word).join("");

/** The folded words of a text. A chain also counts as the joined word. */
export function words(text) {
  return [...chains(text)].flatMap((chain) => [...chain.map(({ word }) => word), ...(chain.length > 1 ? [joined(chain)] : [])]);
}

/** The regular plurals of a word, and the words whose plural it is. */
function* plurals(word) {
  for (const [plural, singular] of [["s", ""], ["es", ""], ["ies", "y"], ["men", "man"]]) {
    for (const [ending, other] of [[plural, singular], [singular, plural]]) {
      const stem = word.slice(0, word.length - ending.length);
      if (word.endsWith(ending) && [...stem].length >= 2) yield stem + other;
    }
  }
}

/** Returns a function that gives the places in a text that the search `q` finds. `corrected` is that of the server's response. */
export function matcher(q, corrected = []) {
  const queryChains = [...chains(q)];
  const queryWords = words(q);
  const matches = new Set([...queryWords, ...queryWords.flatMap((word) => [...plurals(word)]), ...corrected.flatMap(({ to }) => to)]);
  const last = q.endsWith(" ") ? undefined : queryChains.at(-1);
  const prefixes = last ? [last.at(-1).word, joined(last)] : [];
  const infixes = queryWords.filter((word) => UNSPACED.test(word));
  const isHit = (word) => matches.has(word) || prefixes.some((prefix) => word.startsWith(prefix));

  function* hits(chain) {
    for (const { word, places } of chain) {
      const place = (from, to) => [places[from].start, places[to - 1].end];
      if (isHit(word)) yield place(0, word.length);
      else {
        for (const infix of infixes) {
          for (let from = word.indexOf(infix); from >= 0; from = word.indexOf(infix, from + infix.length)) yield place(from, from + infix.length);
        }
      }
    }
  }

  return function* (text) {
    for (const chain of chains(text)) {
      const chainHits = [...hits(chain)];
      if (!chainHits.length && chain.length > 1 && isHit(joined(chain))) yield [chain[0].places[0].start, chain.at(-1).places.at(-1).end];
      else yield* chainHits;
    }
  };
}

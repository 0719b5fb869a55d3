// Colors for code, as highlights of CSS: they add no nodes. A browser without them shows code in one color.

/** The parts of HTML and of commands of a shell, by the name of their highlight. */
const PARTS = /(?<text>"[^"]*"|'[^']*')|(?<keyword><\/?[\w-]+|\/?>|^carousel \w+)|(?<name>[\w-]+(?==")|--[\w-]+)/gm;

/** Colors the `code` elements. css/code.css has the colors of the highlights `code-text`, `code-keyword` and `code-name`. */
export function colorCode(codes) {
  if (!CSS.highlights) return;
  const ranges = { text: [], keyword: [], name: [] };
  for (const { firstChild: text } of codes) {
    for (const { 0: part, index, groups } of text.data.matchAll(PARTS)) {
      const name = Object.keys(ranges).find((name) => groups[name] !== undefined);
      ranges[name].push(new StaticRange({ startContainer: text, startOffset: index, endContainer: text, endOffset: index + part.length }));
    }
  }
  for (const [name, list] of Object.entries(ranges)) CSS.highlights.set(`code-${name}`, new Highlight(...list));
}

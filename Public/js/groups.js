// The title of the group at the leading edge.
import { listen, whenDrawn } from "./listen.js";
import { say } from "./template.js";

/** Keeps the title in the strip's line `.group`, if it has one. The former title stays while another is asked for. */
export function groups(strip, signal) {
  const line = strip.querySelector(".group");
  if (!line) return;
  const runs = new Map(); // {title, first, end} as `/window` gives them, by their first index
  let sought = null; // each index is asked for once, and only in a strip that has groups
  const note = ({ detail: { group } }) => group && runs.set(group.first, group);
  const follow = async () => {
    const { index } = strip.items.find(({ start, size }) => start + size > strip.offset) ?? {};
    const run = [...runs.values()].find(({ first, end }) => first <= index && index < end);
    if (run) say(line, run.title);
    else if (runs.size && sought !== index) {
      sought = index;
      const answer = await strip.window({ index, width: 1 }).catch(() => null);
      if (!answer?.group) runs.set(index, { title: "", first: index, end: index + 1 });
      follow();
    }
  };
  if (strip.head) note({ detail: strip.head });
  listen(strip, "reload", () => {
    runs.clear();
    sought = null;
  }, signal);
  listen(strip, "window reload", note, signal);
  whenDrawn(strip, follow, signal);
}

// The title of the group at the leading edge.
import { whenMoved } from "./moved.js";
import { say } from "./template.js";

/** Keeps the title in the strip's line `.group`, if it has one. */
export function groups(strip, signal) {
  const line = strip.querySelector(".group");
  if (!line) return;
  const title = new GroupTitle(line);
  const follow = () => {
    const first = strip.items.find(({ start, size }) => start + size > strip.offset);
    if (first) title.show(first.index, async (index) => (await strip.window({ index, width: 1 })).group);
  };
  const note = ({ detail }) => {
    if (detail?.group) title.note(detail.group);
  };
  if (strip.head) note({ detail: strip.head });
  strip.addEventListener("window", note, { signal });
  strip.addEventListener("reload", (event) => {
    title.clear(event.detail);
    note(event);
    follow();
  }, { signal });
  whenMoved(strip, signal, follow);
}

class GroupTitle {
  #line;
  #runs = [];
  #sought = null;
  #revision;

  constructor(line) {
    this.#line = line;
  }

  /** Keeps a run as `/window` gives it: title, first, end. */
  note(run) {
    if (!this.#runs.some(({ first }) => first === run.first)) this.#runs.push(run);
  }

  /** Forgets all runs when another strip or revision is told of. */
  clear({ strip, revision }) {
    if (this.#revision !== undefined && this.#revision !== `${strip} ${revision}`) this.#runs = [];
    this.#revision = `${strip} ${revision}`;
    this.#sought = null;
  }

  /**
   * Shows the title of the run that the item of `index` is in. Where no run told so far has it, `ask(index)`
   * is called for the run, or null: once, and only in a strip that has groups. The former title stays meanwhile.
   */
  async show(index, ask) {
    if (!this.#runs.length) return;
    const run = this.#runs.find(({ first, end }) => first <= index && index < end);
    if (run) say(this.#line, run.title);
    else if (this.#sought !== index) {
      this.#sought = index;
      this.note((await ask(index).catch(() => null)) ?? { title: "", first: index, end: index + 1 });
      if (this.#sought === index) this.show(index, ask);
    }
  }
}

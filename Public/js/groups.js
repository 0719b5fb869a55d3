// The title of the group at the left edge.
import { say } from "./template.js";

export class GroupTitle {
  #line;
  #runs = [];
  #sought = null;

  /** @param {?Element} line - shows the title; without one, nobody asks. */
  constructor(line) {
    this.#line = line;
  }

  /** Keeps a run as `/window` gives it: title, first, end. */
  note(run) {
    if (!this.#runs.some(({ first }) => first === run.first)) this.#runs.push(run);
  }

  /** Forgets all runs: another strip. */
  clear() {
    this.#runs = [];
    this.#sought = null;
  }

  /**
   * Shows the title of the run that the item of `index` is in. Where no run told so far has it, `ask(index)`
   * is called for the run, or null: once, and only in a strip that has groups. The former title stays meanwhile.
   */
  async show(index, ask) {
    if (!this.#line || !this.#runs.length) return;
    const run = this.#runs.find(({ first, end }) => first <= index && index < end);
    if (run) say(this.#line, run.title);
    else if (this.#sought !== index) {
      this.#sought = index;
      this.note((await ask(index).catch(() => null)) ?? { title: "", first: index, end: index + 1 });
      if (this.#sought === index) this.show(index, ask);
    }
  }
}

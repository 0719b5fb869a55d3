// The x-ray panel: colors the nodes by slot, counts nodes, reuses and bytes, and lists the requests as curl commands.
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";
import { formatNumber } from "../language/format.js";
import { copyText } from "./copy.js";

const MAX_COMMANDS = 8; // the newest ones

/** Connects the switch and the panel to `strip`. */
export function connectXray(strip, panel, switcher) {
  new XrayPanel(strip, panel, switcher);
}

class XrayPanel {
  #strip;
  #panel;
  #switcher;
  #usage; // the counts of nodes: see countUsage
  #requests = 0; // how many windows were requested
  #bytes = 0; // the size of their responses
  #commands = []; // that send these requests again, the newest one first
  #rows; // that show commands

  constructor(strip, panel, switcher) {
    [this.#strip, this.#panel, this.#switcher] = [strip, panel, switcher];
    this.#usage = countUsage(strip);
    this.#rows = Array.from({ length: MAX_COMMANDS }, () => createRow(panel.dataset));
    panel.querySelector("ol").append(...this.#rows.map(({ item }) => item));
    new PerformanceObserver((list) => this.#countRequests(list.getEntries())).observe({ type: "resource", buffered: true });
    switcher.addEventListener("change", () => this.#toggle());
    strip.addEventListener("windowchange", () => this.#update());
    this.#toggle();
  }

  #countRequests(entries) {
    for (const { name, transferSize } of entries) {
      if (new URL(name).pathname !== "/window") continue;
      this.#requests += 1;
      this.#bytes += transferSize;
      this.#commands.unshift(`curl '${name.replaceAll("'", "%27")}'`);
    }
    this.#commands.length = Math.min(this.#commands.length, MAX_COMMANDS);
    this.#update();
  }

  #toggle() {
    const { checked } = this.#switcher;
    this.#panel.hidden = !checked;
    this.#strip.toggleAttribute("data-xray", checked);
    this.#update();
  }

  #update() {
    if (!this.#switcher.checked) return;
    const { nodes, created, reuses } = this.#usage;
    const pools = Object.entries(this.#strip.meta?.pools ?? {}).map(([kind, count]) => `${kind} ${count}`);
    const texts = [...[nodes, created, reuses, this.#requests, this.#bytes].map((number) => formatNumber(number)), pools.join(", ")];
    this.#panel.querySelectorAll("dd").forEach((node, k) => setText(node, texts[k]));
    this.#rows.forEach((row, k) => row.show(this.#commands[k]));
    colorSlots(this.#strip);
  }
}

/** Gives each card the color of its slot. */
export function colorSlots(strip) {
  for (const { index, slot } of strip.items) {
    strip.nodeOf(index)?.style.setProperty("--slot", slot.slice(slot.lastIndexOf("-") + 1));
  }
}

/** Counts `nodes`, those `created` in the browser, and `reuses`: how often a node got another item from now on. */
function countUsage(strip) {
  const lastIds = new Map(); // by node
  const usage = {
    get nodes() {
      return strip.querySelectorAll("li").length;
    },
    get created() {
      return strip.querySelectorAll("li:not([data-start])").length;
    },
    reuses: 0,
  };
  strip.addEventListener("willdisplay", ({ detail: { item, node } }) => {
    if ((lastIds.get(node) ?? item.id) !== item.id) usage.reuses += 1;
    lastIds.set(node, item.id);
  });
  return usage;
}

/** Creates a row that shows a command, with a button that copies it. The button says `copy`, then `copied`. */
function createRow({ copy, copied }) {
  const code = create("code");
  const button = create("button", { type: "button" }, copy);
  button.addEventListener("click", async () => {
    await copyText(code);
    button.textContent = copied;
    button.addEventListener("blur", () => (button.textContent = copy), { once: true });
  });
  const item = create("li", { hidden: true }, code, button);
  const show = (command) => {
    item.hidden = !command;
    setText(code, command ?? "");
  };
  return { item, show };
}

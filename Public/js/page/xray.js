// The x-ray panel: colors the nodes by slot, counts nodes, reuses and bytes, and lists the requests as curl commands.
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";
import { formatNumber } from "../language/format.js";
import { copyText } from "./copy.js";

const MAX_COMMANDS = 8; // the newest ones

/** Connects the switch and the panel to `strip`. */
export function connectXray(strip, panel, switcher) {
  const [nodes, created, reuses, requests, bytes, pools] = panel.querySelectorAll("dd");
  const commands = [];
  const transfers = { requests: 0, bytes: 0 };

  const usage = countUsage(strip);
  const rows = Array.from({ length: MAX_COMMANDS }, () => createRow(panel.dataset));
  panel.querySelector("ol").append(...rows.map(({ item }) => item));

  const update = () => {
    if (!switcher.checked) return;
    setText(nodes, formatNumber(usage.nodes));
    setText(created, formatNumber(usage.created));
    setText(reuses, formatNumber(usage.reuses));
    setText(requests, formatNumber(transfers.requests));
    setText(bytes, formatNumber(transfers.bytes));
    setText(pools, Object.entries(strip.meta?.pools ?? {}).map(([kind, count]) => `${kind} ${count}`).join(", "));
    colorSlots(strip);
    rows.forEach((row, k) => row.show(commands[k]));
  };

  const observer = new PerformanceObserver((list) => {
    for (const { name, transferSize } of list.getEntries()) {
      if (new URL(name).pathname !== "/window") continue;
      transfers.requests += 1;
      transfers.bytes += transferSize;
      commands.unshift(`curl '${name.replaceAll("'", "%27")}'`);
    }
    commands.length = Math.min(commands.length, MAX_COMMANDS);
    update();
  });
  observer.observe({ type: "resource", buffered: true });

  const toggle = () => {
    panel.hidden = !switcher.checked;
    strip.toggleAttribute("data-xray", switcher.checked);
    update();
  };
  switcher.addEventListener("change", toggle);
  strip.addEventListener("windowchange", update);
  toggle();
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

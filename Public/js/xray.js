// The machine at work: nodes tinted by slot, what was made, used again and transferred, windows as commands.

import { say } from "./template.js";

const SHOWN = 8; // commands kept on view, the newest first

/** Connects the switch and the panel to `strip`. */
export function connectXray(strip, panel, switcher) {
  const [nodes, made, reuses, requests, bytes, pools] = panel.querySelectorAll("dd");
  const commands = [];
  const transfers = { requests: 0, bytes: 0 };

  const uses = countUses(strip);
  const rows = Array.from({ length: SHOWN }, () => commandRow());
  panel.querySelector("ol").append(...rows.map(({ item }) => item));

  const show = () => {
    if (!switcher.checked) return;
    tell(nodes, uses.nodes);
    tell(made, uses.made);
    tell(reuses, uses.reuses);
    tell(requests, transfers.requests);
    tell(bytes, transfers.bytes);
    tell(pools, Object.entries(strip.head?.pools ?? {}).map(([kind, count]) => `${kind} ${count}`).join(", "));
    for (const { index, slot } of strip.items) {
      strip.nodeOf(index)?.style.setProperty("--slot", slot.slice(slot.lastIndexOf("-") + 1));
    }
    rows.forEach((row, k) => row.show(commands[k]));
  };

  const watch = new PerformanceObserver((list) => {
    for (const { name, transferSize } of list.getEntries()) {
      if (new URL(name).pathname !== "/window") continue;
      transfers.requests += 1;
      transfers.bytes += transferSize;
      commands.unshift(`curl '${name.replaceAll("'", "%27")}'`);
    }
    commands.length = Math.min(commands.length, SHOWN);
    show();
  });
  watch.observe({ type: "resource", buffered: true });

  const turn = () => {
    panel.hidden = !switcher.checked;
    strip.toggleAttribute("data-xray", switcher.checked);
    show();
  };
  switcher.addEventListener("change", turn);
  strip.addEventListener("windowchange", show);
  turn();
}

/** Counts, from now on: `nodes` there, how many of them were `made` here, and `reuses` of one for another item. */
function countUses(strip) {
  const shown = new Map();
  const count = () => strip.querySelectorAll("li").length;
  const uses = {
    get nodes() {
      return count();
    },
    get made() {
      return strip.querySelectorAll("li:not([data-start])").length;
    },
    reuses: 0,
  };
  strip.addEventListener("willdisplay", ({ detail: { item, node } }) => {
    if ((shown.get(node) ?? item.id) !== item.id) uses.reuses += 1;
    shown.set(node, item.id);
  });
  return uses;
}

/** A line that shows a command, with a button that copies it. */
function commandRow() {
  const item = document.createElement("li");
  const code = document.createElement("code");
  const button = document.createElement("button");
  item.hidden = true;
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    button.addEventListener("blur", () => (button.textContent = "Copy"), { once: true });
  });
  item.append(code, button);
  const show = (command) => {
    item.hidden = !command;
    say(code, command ?? "");
  };
  return { item, show };
}

function tell(element, value) {
  say(element, typeof value === "number" ? value.toLocaleString("en") : value);
}

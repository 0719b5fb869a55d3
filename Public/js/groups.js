// The title of the group at the leading edge.
import { behaviours } from "./element.js";
import { GROUPS_KEPT } from "./figures.js";
import { inView } from "./stretch.js";
import { say } from "./template.js";

/** Keeps the title in the strip's line `.group`, if it has one. The former title stays while another is asked for. */
behaviours.add((strip, on) => {
  const line = strip.querySelector(".group");
  if (!line) return;
  let sought; // the index asked for last
  let runs = []; // as `/window` gives them: {title, first, end}; null where nothing is grouped
  const note = (run) => (runs = [run, ...runs].slice(0, GROUPS_KEPT));
  const follow = async () => {
    const index = inView(strip)[0]?.index;
    const run = runs.find((one) => one?.first <= index && index < one.end);
    if (run) say(line, run.title);
    else if (sought !== index && runs[0]) {
      sought = index;
      const answer = await strip.window({ index, width: 1 }).catch(() => null);
      if (!answer?.group) note({ title: "", first: index, end: index + 1 });
      follow();
    }
  };
  on("reload", ({ detail }) => {
    runs = [detail.group];
    sought = null;
  });
  on("window", ({ detail }) => detail.group && note(detail.group));
  on("draw", follow);
});

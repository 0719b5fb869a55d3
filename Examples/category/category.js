// The number of records, and how many there are without filters.
const strip = document.getElementById("records");
const line = document.getElementById("count");
const button = document.querySelector(".close");
let all; // a promise of the number without filters

async function show({ view, count }) {
  all ??= strip.fetchJSON(`strips/${strip.strip}`, {}).then((answer) => answer.count, () => (all = null));
  const total = view ? await all : count;
  const [shown, whole] = [count, total].map((number) => number.toLocaleString("en"));
  button.textContent = `Show ${shown} records`;
  line.textContent = total > count ? `${shown} of ${whole} records` : `${shown} records`;
}

strip.addEventListener("reload", ({ detail }) => show(detail));
if (strip.meta) show(strip.meta); // this script can be the last to arrive

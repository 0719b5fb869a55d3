// The playlist: the last removal can be taken back. With a token, the server removes the album for all readers, and its
// answer has the batch that takes the edit back. Without one, a filter hides the album on this page.
import "./gallery.js";
import { setText } from "/js/base/text.js";

const strip = document.querySelector("carousel-strip");
const [line, button] = document.querySelector(".undo").children;
const token = document.querySelector("[name=token]");
const hidden = new Set();
let undo; // takes the last removal back

strip.addEventListener("click", ({ target }) => {
  const card = target.closest(".add")?.closest("[data-id]");
  if (!card) return;
  const { id, fields } = strip.items.find((item) => item.id === card.dataset.id);
  change(() => (token.value ? remove(id) : hide(id)), `Removed ${fields.title}.`);
});

button.addEventListener("click", async () => {
  await change(undo, "Nothing is removed.");
  if (button.hidden) strip.querySelector("li[tabindex='0']")?.focus({ preventScroll: true });
});

/** Runs a change, which returns what takes it back. Says that it was made, or why not. */
async function change(make, text) {
  try {
    undo = await make();
    setText(line, text);
  } catch (problem) {
    setText(line, problem.detail ?? "No answer from the server.");
  }
  button.hidden = !undo;
}

async function remove(id) {
  const { revision, undo } = await edit([{ op: "remove", ids: [id] }]);
  return async () => void (await edit(undo, { "If-Match": `"${revision}"` })); // not over a later edit
}

async function edit(batch, headers) {
  const response = await fetch(`/strips/${strip.strip}/edits?undo=true`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token.value}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(batch),
  });
  const answer = await response.json();
  if (!response.ok) throw answer;
  strip.reload(answer.revision);
  return answer;
}

function hide(id) {
  hidden.add(id);
  select();
  return () => {
    hidden.delete(id);
    select();
  };
}

function select() {
  const ids = [...hidden].map((id) => JSON.stringify(id));
  strip.where = ids.length ? `NOT id IN [${ids}]` : null;
}

// A button on each block of code that copies it.
import { copyText } from "/js/page/copy.js";

const words = { copy: "Copy", copied: "Copied" };

for (const pre of document.querySelectorAll("main pre")) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: words.copy });
  button.addEventListener("click", async () => {
    await copyText(pre);
    button.textContent = words.copied;
    setTimeout(() => (button.textContent = words.copy), 2000);
  });
  const box = Object.assign(document.createElement("div"), { className: "code" });
  pre.replaceWith(box);
  box.append(pre, button);
}

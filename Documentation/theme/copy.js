// A button on each block of code that copies it.
import { copyText } from "/js/page/copy.js";

const words = { copy: "Copy", copied: "Copied" };

for (const code of document.querySelectorAll("main .code")) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: words.copy });
  button.addEventListener("click", async () => {
    await copyText(code.firstChild);
    button.textContent = words.copied;
    setTimeout(() => (button.textContent = words.copy), 2000);
  });
  code.append(button);
}

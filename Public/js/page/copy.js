// Copies text for the reader.

/** Copies the text of an element. Browsers have the clipboard's API on https and on the own machine; elsewhere the text is selected and copied. */
export async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent.trimEnd());
  } catch {
    const selection = getSelection();
    selection.selectAllChildren(element);
    document.execCommand("copy");
    selection.removeAllRanges();
  }
}

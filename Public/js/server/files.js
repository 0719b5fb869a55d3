// Files of the server: style sheets and messages.
import { SERVER } from "./requests.js";
import { isRejected, retryUntilLoaded } from "./retries.js";

/**
 * The text of a style sheet, in which a rem becomes 16 to 32 px. A page can have made it less: `html { font-size: 62.5% }` is
 * common. Media queries in the style sheets use em, which follows the reader's font size alone.
 */
export const clampRem = (text) => text.replace(/(-?[\d.]+)rem/g, "calc($1*clamp(16px,1rem,32px))");

/** The text of a file of the server. Tries again until the server has answered, or rejects the request. */
export function loadFile(path) {
  return retryUntilLoaded(async () => {
    const response = await fetch(SERVER + path);
    if (!response.ok) throw response;
    return response.text();
  }, isRejected);
}

/**
 * Loads css/NAME.css into a constructed style sheet, once the promise `isReady` is fulfilled. A Content-Security-Policy allows it by
 * `connect-src`. Without the file, the sheet becomes empty, so that what its former rules hid is visible.
 */
export async function loadSheet(sheet, name, isReady) {
  await isReady;
  sheet.replaceSync(await loadFile(`css/${name}.css`).then(clampRem, () => ""));
}

// The links of the index keep the language of the page.
import { query, sayMissing } from "./links.js";

for (const link of document.querySelectorAll("main a, .name a")) link.search = query;

const answer = await fetch("/strips?limit=1000").catch(() => null);
const { strips } = answer?.ok ? await answer.json() : {};
if (strips && !strips.some(({ strip }) => strip === "albums")) sayMissing("albums");

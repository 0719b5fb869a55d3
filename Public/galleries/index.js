// The links of the index keep the language of the page.
import { query } from "./links.js";

for (const link of document.querySelectorAll("main a, .name a")) link.search = query;

// The cases of rules that Swift and JavaScript both implement. Swift tests run them too.
import { readFileSync } from "node:fs";

/** The content of Tests/Cases/NAME.json. */
export function cases(name) {
  return JSON.parse(readFileSync(new URL(`../Cases/${name}.json`, import.meta.url)));
}

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const root = new URL("../../", import.meta.url);
const modules = ["Public/js", "Public/galleries", "npm"].flatMap((folder) => {
  const paths = readdirSync(new URL(folder, root), { recursive: true });
  return paths.filter((path) => path.endsWith(".js") && !path.startsWith("bundle/")).map((path) => `${folder}/${path}`);
});
const read = (url) => readFileSync(url, "utf8");
const names = (list, place) => list.split(",").filter((name) => name.trim()).map((name) => name.trim().split(" as ").at(place));

function exportsOf(url) {
  const text = read(url);
  const declared = [...text.matchAll(/^export (?:async )?(?:const|let|class|function\*?) (\w+)/gm)].map(([, name]) => name);
  return [...declared, ...[...text.matchAll(/^export \{([^}]+)\}/gm)].flatMap(([, list]) => names(list, -1))];
}

test("modules export the names that others import", () => {
  const missing = modules.flatMap((path) => {
    const parent = new URL(path.startsWith("npm/") ? "Public/" : path, root); // the package has Public/js as js
    return [...read(new URL(path, root)).matchAll(/^(?:import|export) \{([^}]+)\} from "([./][^"]+)";/gm)].flatMap(([, list, from]) => {
      const exported = exportsOf(from.startsWith("/") ? new URL(`Public${from}`, root) : new URL(from, parent));
      return names(list, 0).filter((name) => !exported.includes(name)).map((name) => `${path}: ${name} of ${from}`);
    });
  });
  assert.deepEqual(missing, []);
});

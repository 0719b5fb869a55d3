// Loads the items of a strip, measures their cards, and answers queries for windows.
import { MeasuredStrip } from "../windows/measured-strip.js";

/** The longest window, in px. */
const WINDOW_LENGTH = 65_536;

/** Measures a strip for the plugin `measure`, which passes functions and limits as `dependencies`. */
export class MeasuredItems {
  #strip;
  #dependencies;
  #layouts = []; // the newest layouts, for the drawn windows and the next ones: [key, a promise of {common, loop, layout}]

  constructor(strip, dependencies) {
    this.#strip = strip;
    this.#dependencies = dependencies;
  }

  /** The response to a query of `/window`, and the layout. The response is the server's if the strip is too long. */
  async respond(query, signal) {
    const { QUERY_ATTRIBUTES } = this.#dependencies;
    const stripQuery = Object.fromEntries([...QUERY_ATTRIBUTES, "height", "layout", "v"].map((name) => [name, query[name]]));
    const settings = query.revision ? null : await this.#settingsOf(stripQuery); // which say the newest revision: its items can be measured already
    const revision = query.revision ?? settings.revision;
    const key = JSON.stringify([stripQuery, revision]);
    let [, loading] = this.#layouts.find(([one]) => one === key) ?? [];
    if (!loading) {
      loading = this.#load({ ...stripQuery, revision }, settings);
      this.#layouts = [...this.#layouts.slice(-1), [key, loading]];
      loading.catch(() => (this.#layouts = this.#layouts.filter(([one]) => one !== key)));
    }
    const loaded = await loading;
    signal?.throwIfAborted();
    if (!loaded) return { response: await this.#strip.fetchJSON("window", query, signal) };
    const { common, loop, layout } = loaded;
    return { response: layout.respond({ ...query, wrap: query.wrap ?? loop }, common), layout };
  }

  /** Measures all items again when they are needed next. */
  invalidate() {
    this.#layouts = [];
  }

  #settingsOf({ strip: name, height, layout, ...query }) {
    return this.#strip.fetchJSON(`strips/${name}`, query);
  }

  async #load(stripQuery, knownSettings) {
    const { MAX_MEASURED, MEASURE_BATCH, sizeClass, templateOf } = this.#dependencies;
    const { fetchJSON } = this.#strip;
    const settings = knownSettings ?? (await this.#settingsOf(stripQuery));
    if (settings.count > MAX_MEASURED) return null;
    const query = { ...stripQuery, width: WINDOW_LENGTH, wrap: false };
    const items = [];
    let response;
    do {
      response = await fetchJSON("window", { ...query, offset: response ? response.offset + WINDOW_LENGTH : 0 });
      const others = response.items.filter(({ index }) => !(index <= items.at(-1)?.index));
      items.push(...others.map((item) => ({ ...item }))); // another strip can have the same response
    } while (response.offset + WINDOW_LENGTH < response.extent);
    await Promise.all([document.fonts.ready, this.#strip.formatting]);
    const measured = items.filter(({ kind }) => "measure" in templateOf(this.#strip, kind).dataset);
    for (let k = 0; k < measured.length; k += MEASURE_BATCH) {
      this.#measure(measured.slice(k, k + MEASURE_BATCH));
      await new Promise((resolve) => setTimeout(resolve)); // the page stays responsive
    }
    const common = { strip: response.strip, revision: response.revision, ...(response.view && { view: response.view }), height: response.height };
    return { common, loop: settings.loop, layout: new MeasuredStrip(settings, items, sizeClass) };
  }

  /** Sets the sizes of items to the widths of their cards. The cards are in the strip's list for this call. */
  #measure(items) {
    const { fill, findPlaceholders, placeholdersOf, templateOf } = this.#dependencies;
    const nodes = items.map((item) => {
      const node = document.createElement("li");
      const { content } = templateOf(this.#strip, item.kind);
      node.dataset.kind = item.kind;
      const style = { position: "absolute", visibility: "hidden", width: "max-content", contain: "none", containerType: "normal" };
      Object.assign(node.style, style);
      const copy = content.cloneNode(true);
      for (const image of copy.querySelectorAll("[src*='{'], [srcset*='{']")) for (const name of ["src", "srcset"]) image.removeAttribute(name);
      node.append(copy);
      const placeholders = findPlaceholders(content, node).filter(({ name }) => !/^src/.test(name));
      placeholdersOf.set(node, placeholders);
      fill(placeholders, item);
      this.#strip.formatCard?.(node, item);
      return node;
    });
    this.#strip.cardList.append(...nodes);
    const widths = nodes.map((node) => parseFloat(getComputedStyle(node).width));
    for (const node of nodes) node.remove();
    if (isNaN(widths[0])) throw new Error("The strip has no box."); // it is hidden now, and measures again when it is shown
    items.forEach((item, k) => (item.size = Math.ceil(widths[k] * 64) / 64));
  }
}

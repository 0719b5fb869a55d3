// The types of <carousel-strip>. Editors read the same from custom-elements.json.

export type Alignment = "start" | "center" | "end";

/** An item. `start` and `size` are in px of the strip. `fields` is absent until an answer has them. */
export interface Item {
  index: number;
  id: string;
  kind: string;
  slot: string;
  start: number;
  size: number;
  fields?: Record<string, string | number | boolean>;
}

/** An answer of `/window`, without its items. */
export interface Head {
  strip: string;
  revision: number;
  /** The parameters of a view. Absent for a strip. */
  view?: { list?: string; where?: string; q?: string; sort?: string };
  height: number;
  offset: number;
  width: number;
  wrap: boolean;
  count: number;
  extent: number;
  pools: Record<string, number>;
  pool: number;
  overscan: number;
  first: number;
  end: number;
  group: { title: string; first: number; end: number; start: number } | null;
  leave: string[];
}

/** Where to scroll to: an item by its `index`, or by its id as `item`, or an `offset`. With an item, `offset` is used if the item does not exist. */
export interface Place {
  index?: number;
  item?: string;
  offset?: number;
  /** By default the alignment of `snap`, or "start". */
  align?: Alignment | "nearest";
  /** The place of the item in the viewport in px, instead of `align`. */
  at?: number;
  behavior?: ScrollBehavior;
}

/** A call of `scrollTo`. `target` is the offset, if it is known. `scrollTo` awaits `found`. */
export interface Seek {
  place: Place;
  target?: number;
  found?: Promise<void>;
}

/** Handlers for the cards of a kind. */
export interface KindHandlers {
  fill?(card: HTMLLIElement, item: Item): void;
  display?(card: HTMLLIElement, item: Item): void;
  enddisplay?(card: HTMLLIElement, item: Item): void;
  select?(item: Item): void;
}

export interface CarouselStripEvents {
  /** Other items are drawn. */
  windowchange: CustomEvent<{items: Item[], former: Item[]}>;
  /** A card got another item, or new fields of its item. Listen to it to draw what a template cannot. */
  willdisplay: CustomEvent<{item: Item, node: HTMLLIElement}>;
  /** A card's node is about to get another item, or to be hidden. Listen to it to undo what `willdisplay` did. */
  enddisplay: CustomEvent<{item: Item, node: HTMLLIElement}>;
  /** An item was selected. */
  select: CustomEvent<Item & {origin: "tap" | "key" | "code" | "slide"}>;
  /** An item is no longer selected. */
  deselect: CustomEvent<Item>;
  /** The drawn windows are outdated. `detail` is the revision to request, or null for the newest one. A listener that prevents the default calls `renew`. */
  outdated: CustomEvent<number | null>;
  /** The strip was drawn: its offset, its items or its size may have changed. */
  draw: CustomEvent<null>;
  /** `scrollTo` was called. A listener that prevents the default scrolls the strip itself, and may set `found` to a promise. */
  seek: CustomEvent<Seek>;
  /** A movement has ended. A listener prevents the default if it moves the strip on. */
  rest: CustomEvent<null>;
  /** The strip is at rest. `detail` is its current item. */
  settle: CustomEvent<Item | undefined>;
  /** Another strip, revision, height or pool is about to be drawn. */
  willreload: CustomEvent<Head>;
  /** Another strip, revision, height or pool is drawn now. */
  reload: CustomEvent<Head>;
  /** A window was loaded. */
  window: CustomEvent<Head>;
  /** A request failed. `detail` is the problem that the server reported, if it did. */
  error: CustomEvent<Error & {status?: number, parameter?: string, response?: Response}>;
  /** At least half of an item was in view for a second. Dispatched once for each item. */
  impression: CustomEvent<Item>;
}

/** Words of the element in one language. `items` has the forms of `Intl.PluralRules`, in which `{count}` is the number. `place` has `{n}` too. */
export interface Words {
  previous?: string;
  next?: string;
  position?: string;
  pause?: string;
  play?: string;
  carousel?: string;
  strip?: string;
  place?: string;
  comma?: string;
  unavailable?: string;
  empty?: string;
  unmatched?: string;
  items?: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
  search?: string;
  clear?: string;
  more?: string;
}

/**
 * A strip of any number of items, in a few nodes.
 *
 * @slot "" - The list, the templates, and an element with the class `group`, which shows the title of the group at the leading edge.
 * @slot previous - Replaces the arrow of the button that scrolls back.
 * @slot next - Replaces the arrow of the button that scrolls on.
 * @slot controls - Controls of the page, after those of the element.
 * @csspart viewport - What scrolls. It contains the list.
 * @csspart indicator - The bar that slides under the selected card.
 * @csspart notice - Says that the server does not answer, or that the strip has no items.
 * @csspart pause - The button that pauses autoplay.
 * @csspart controls - The line of controls.
 * @csspart step - A button that scrolls back or on.
 * @csspart dots - The line of position dots.
 * @csspart dot - A position dot.
 * @csspart scale - The scrubber with its titles.
 * @csspart titles - The ticks of the groups, with titles where there is room.
 * @csspart bubble - The title of the group at the scrubber's thumb, while it moves.
 * @csspart scrubber - The slider.
 * @csspart status - What screen readers announce after a step. Visually hidden.
 * @cssprop --caption - Height of the text below the images.
 * @cssprop --group-height - Height of the sticky heading.
 * @cssprop --radius - Corner radius of the images.
 * @cssprop --per-view - How many cards fit the viewport. All items must have the same aspect ratio.
 * @cssprop --indicator-height - Height of the indicator.
 * @cssprop --indicator-color - Color of the indicator.
 * @cssprop --indicator-duration - How long the indicator slides.
 * @cssprop --indicator-easing - Easing function of the indicator.
 * @cssprop --strip-paper - Background of the page, around focused and selected cards.
 * @cssprop --strip-muted - Color of secondary text.
 * @cssprop --strip-line - Color of lines and borders.
 * @cssprop --strip-hairline - Color of the outline of images.
 * @cssprop --strip-blank - Color of placeholders for cards and images.
 * @cssprop --strip-accent - Color of focus, selection, indicator and scrubber.
 * @cssprop --strip-sans - Font of text.
 * @cssprop --strip-serif - Font of headings.
 * @cssprop --strip-bleed - How far cards are visible beside the box of the strip, in px: its margin to the window, for example.
 * @cssprop --strip-raised - Color of the arrows over the cards.
 * @cssprop --strip-ink - Color of the signs on these arrows.
 * @cssprop --strip-height - Sets the attribute `height`, in a container query. `off` removes it.
 * @cssprop --strip-inset - Sets the attribute `inset`, in a container query. `off` removes it.
 * @cssprop --strip-snap - Sets the attribute `snap`, in a container query. `off` removes it.
 * @cssprop --strip-step - Sets the attribute `step`, in a container query. `off` removes it.
 * @cssprop --strip-controls - Sets the attribute `controls`, in a container query. `off` removes it.
 * @cssprop --strip-autoplay - Sets the attribute `autoplay`, in a container query. `off` removes it.
 * @cssprop --strip-loop - Sets the attribute `loop`, in a container query. `off` removes it, `on` sets it without a value.
 * @cssprop --strip-effects - Sets the attribute `effects`, in a container query. `off` removes it, `on` sets it without a value.
 * @cssprop --strip-indicator - Sets the attribute `indicator`, in a container query. `off` removes it, `on` sets it without a value.
 * @cssprop --height - Height of the items in px. The element sets it.
 * @cssprop --turned - 1 from right to left, else 0. strip.css sets it.
 * @cssprop --way - With `effects`, set on each card: its distance after the center, in its own widths.
 * @cssprop --side - With `effects`, set on each card: `--way`, limited to -1 ... 1.
 * @cssprop --far - With `effects`, set on each card: the absolute value of `--side`.
 */
export class CarouselStrip extends HTMLElement {
  /** Words of other languages, by language: `{ pt: { next: "Seguinte" } }`. They replace built-in ones. */
  static words?: Record<string, Words>;
  /** Name of the strip on the server. */
  strip: string | null;
  /** Name of a stored list: its items in its order. */
  list: string | null;
  /** Filter of the items, as in `/window`. */
  where: string | null;
  /** Words to search for, as in `/window`. */
  q: string | null;
  /** Fields to sort by, as in `/window`. */
  sort: string | null;
  /** Height of the items in px. If absent, that of the strip's settings. */
  height: number | null;
  /** The strip wraps around, whatever its settings say. */
  loop: boolean;
  /** Aligns an item at rest: `start`, `center` or `end`. With `near` after it, only an item that is almost aligned. `none`: no snapping. */
  snap: string | null;
  /** Space before the first item and after the last one in px, besides that of the strip's settings. `center`: as much as these items need to stand in the center. A loop has none. */
  get inset(): string | null;
  set inset(value: string | number | null);
  /** `item`: previous and next scroll by an item. Otherwise they scroll by a viewport. */
  step: string | null;
  /** `none`: taps and keys select nothing. `current`: the current item at rest is selected. */
  selection: string | null;
  /** Id of another strip of the same items, such as a main strip of which this one shows thumbnails. An item that is selected in one of them is selected in the other. */
  for: string | null;
  /** Ms between steps, or `marquee` and px a second. Any other value turns autoplay off. After the end, the strip returns to its start. */
  get autoplay(): string | null;
  set autoplay(value: string | number | null);
  /** Cards have `--side` and `--far`, their distance from the center. */
  effects: boolean;
  /** A bar, the part `indicator`, slides under the selected card. */
  indicator: boolean;
  /** Index of the item to start at. */
  initialIndex: number | null;
  /** Id of the item to start at. */
  initialItem: string | null;
  /** The page's address has the view and the position, as `q`, `where`, `sort`, `item` and so on. With `history="NAME"`, they are `NAME-q` and so on: a page with several strips, or with parameters of these names, needs it. */
  history: boolean;
  /** Reloads when the server has a new revision. With a number, as in `live="5"`, it starts to listen after that many seconds. Use this behind a cache that serves first windows up to that age. */
  live: boolean;
  /** The parts to put below the strip, in order: `previous`, `next`, `scrubber`, `dots`. */
  controls: string | null;
  /** The offset at the leading edge, in px. */
  readonly offset: number;
  /** The offset that a smooth movement ends at. At rest, `offset`. */
  readonly goal: number;
  /** The part that scrolls. Its parent has all parts. */
  readonly viewport: HTMLElement;
  /** The viewport's width in px. Reading it causes no layout. */
  readonly clientWidth: number;
  /** Scroll position of the viewport, as in an element that scrolls. */
  scrollLeft: number;
  /** Width of the viewport's content, as in an element that scrolls. */
  readonly scrollWidth: number;
  /** The greatest offset. It shows the last item at the trailing edge, with the inset. */
  readonly furthest: number;
  /** 1 from left to right, -1 from right to left, by `dir`. */
  readonly sign: 1 | -1;
  /** The last answer of `/window`. */
  readonly head: Head | null;
  /** The items drawn, in order: those in view, and those in the overscan. */
  readonly items: Item[];
  /** The loaded items, drawn or not, in order. */
  readonly known: Item[];
  /** Whether items in view are not loaded yet. */
  readonly isWaiting: boolean;
  /** Whether a finger touches the strip. Until it is lifted, only the finger scrolls. */
  readonly isHeld: boolean;
  /** The selected item. */
  readonly selected: Item | null;
  /** How the current item is aligned. Undefined if the strip does not snap. */
  readonly alignment: Alignment | undefined;
  /** The drawn item that is nearest to its aligned place. At an end of the strip, several items can be: then it is the selected one, or else the one at the end. */
  readonly current: Item | undefined;
  /** Scrolls to an item or an offset. Resolves when the movement begins. `settle` is dispatched when it has ended. */
  scrollTo(place: Place): Promise<void>;
  /** Selects and centers an item. */
  select(index: number, origin?: string): Promise<void>;
  /** Removes the selection. */
  deselect(): void;
  /** Requests a revision, by default the newest one. Items in view keep their place. */
  reload(revision?: number): void;
  /** Requests windows of a revision, by default the newest one, or of the revision of `head`. They are drawn at the offset that `destination` returns, as soon as they cover the viewport there. */
  renew(destination?: (windows: unknown) => number | undefined, revision?: number | null, head?: Head | null): void;
  /** The nearest offset that the strip can be scrolled to. */
  clamp(offset: number): number;
  /** The offset that shows a drawn item. */
  offsetOf(item: Item, align?: Alignment | "nearest"): number;
  /** Requests one window, at the drawn revision, height and pool. */
  window(query: Record<string, unknown>, signal?: AbortSignal): Promise<(Head & {items: Item[]}) | undefined>;
  /** Dispatches an event that bubbles. Returns whether no listener prevented its default. */
  tell(type: string, detail?: unknown): boolean;
  /** Registers handlers for the cards of a kind: `fill` when a card gets an item, `display` once it is filled, `enddisplay` before it gets another one, and `select`. The card has the content of its template when `fill` is called. */
  kind(name: string, handlers: KindHandlers): void;
  /** The node that shows an item. */
  nodeOf(index: number): HTMLLIElement | null;
  /** Scrolls the viewport, as in an element that scrolls. */
  scrollBy(options?: ScrollToOptions): void;
  scrollBy(x: number, y: number): void;
  scrollTo(options?: ScrollToOptions): Promise<void>;
  scrollTo(x: number, y: number): Promise<void>;
  addEventListener<K extends keyof CarouselStripEvents>(
    type: K,
    listener: (this: CarouselStrip, event: CarouselStripEvents[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (this: CarouselStrip, event: HTMLElementEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/**
 * Adds a listener until the strip is disconnected. `types` are separated by spaces. The target is the strip unless
 * another one is given. A listener that returns false prevents the default.
 */
export type On = (types: string, listener: (event: any) => unknown, target?: EventTarget, capture?: boolean) => void;

/** Functions that start when a strip is connected. They may return a function that cleans up when it is disconnected. */
export const behaviours: Set<(strip: CarouselStrip, on: On) => void | (() => void)>;

/** The events of strips that bubble to other elements. `select` and `error` are left out: the browser has events of these names. */
type CarouselStripOwnEvents = Omit<CarouselStripEvents, "select" | "error">;

declare global {
  interface HTMLElementTagNameMap {
    "carousel-strip": CarouselStrip;
  }
  interface DocumentEventMap extends CarouselStripOwnEvents {}
  interface HTMLElementEventMap extends CarouselStripOwnEvents {}
}

// The types of <carousel-strip>; custom-elements.json says the same to tools that read that.

export type Alignment = "start" | "center" | "end";

/** An item drawn: `start` and `size` in px of the strip; `fields` are absent until an answer brought them. */
export interface Item {
  index: number;
  id: string;
  kind: string;
  slot: string;
  start: number;
  size: number;
  fields?: Record<string, string | number | boolean>;
}

/** What `/window` says besides its items. */
export interface Head {
  strip: string;
  revision: number;
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

/** Where to scroll to: an item by `index` or `item`, its id; or an `offset`, which beside an item is for when that is gone. */
export interface Place {
  index?: number;
  item?: string;
  offset?: number;
  /** The alignment of `snap`, if it is not said, else "start". */
  align?: Alignment | "nearest";
  /** Px of the viewport to put the item at, instead of `align`. */
  at?: number;
  behavior?: ScrollBehavior;
}

/** Where `scrollTo` is to lead: `target` in px, if that is known; else `found` is awaited. */
export interface Way {
  place: Place;
  target?: number;
  found?: Promise<void>;
}

export interface CarouselStripEvents {
  /** Other items are drawn. */
  windowchange: CustomEvent<{items: Item[], former: Item[]}>;
  /** A card was filled and is about to be shown. */
  willdisplay: CustomEvent<{item: Item, node: HTMLLIElement}>;
  /** A card is about to be used again, or hidden. */
  enddisplay: CustomEvent<{item: Item, node: HTMLLIElement}>;
  /** An item was selected. */
  select: CustomEvent<Item & {origin: "tap" | "key" | "code" | "slide"}>;
  /** An item is no longer selected. */
  deselect: CustomEvent<Item>;
  /** What is drawn is no longer right; `detail` is the revision to ask for, if one is named; preventing the default says that it is asked for with `renew`. */
  outdated: CustomEvent<number | null>;
  /** The strip was drawn: its place, its items or its size may be others. */
  draw: CustomEvent<null>;
  /** `scrollTo` was called; preventing the default says that the way is another, which `found` waits for. */
  seek: CustomEvent<Way>;
  /** A movement ended; preventing the default says that the strip moves on. */
  rest: CustomEvent<null>;
  /** The strip is at rest, with its current item. */
  settle: CustomEvent<Item | undefined>;
  /** Another strip, revision, height or pool is about to be drawn. */
  willreload: CustomEvent<Head>;
  /** It is drawn. */
  reload: CustomEvent<Head>;
  /** An answer came. */
  window: CustomEvent<Head>;
  /** A question failed: the problem that the server told, if it did. */
  error: CustomEvent<Error & {status?: number, parameter?: string, response?: Response}>;
  /** At least half of an item was in view for a second: once for each. */
  impression: CustomEvent<Item>;
}

export class CarouselStrip extends HTMLElement {
  /** Name of the strip on the server. */
  strip: string | null;
  /** Height of the items in px; the strip's own if absent. */
  height: number | null;
  /** Goes round, whatever the strip's setting. */
  loop: boolean;
  /** `start`, `center` or `end`, with `near` after it to move only what nearly stands there; `none`. */
  snap: string | null;
  /** `item`: back and on go by an item; otherwise by a viewport. */
  step: string | null;
  /** `none`: taps and keys select nothing; `current`: the item at rest is the selected one. */
  selection: string | null;
  /** Ms between steps, or `marquee` and px a second; anything else is none. From the end it goes back to the start. */
  get autoplay(): string | null;
  set autoplay(value: string | number | null);
  /** Cards get `--side` and `--far`, by their distance from the centre. */
  effects: boolean;
  /** An element `.indicator` slides under the selected card. */
  indicator: boolean;
  /** Index of the item to begin at. */
  initialIndex: number | null;
  /** Id of the item to begin at. */
  initialItem: string | null;
  /** The page's address says the place. */
  history: boolean;
  /** Goes on to new revisions as the server tells of them; `live="5"` begins after so many seconds. */
  live: boolean;
  /** What to put below the strip, in that order: `previous`, `next`, `scrubber`, `dots`. */
  controls: string | null;
  /** The strip's px at the leading edge. */
  readonly offset: number;
  /** The offset that a smooth movement leads to; at rest, `offset`. */
  readonly goal: number;
  /** The viewport's width in px, known without a layout. */
  readonly clientWidth: number;
  /** The offset that shows the last item at the trailing edge. */
  readonly furthest: number;
  /** 1 from left to right, else -1, by `dir`. */
  readonly sign: 1 | -1;
  /** What the last answer said besides its items. */
  readonly head: Head | null;
  /** The items drawn, in order. */
  readonly items: Item[];
  /** The items that are here, drawn or not, in order. */
  readonly known: Item[];
  /** Whether items in view are not here yet. */
  readonly isWaiting: boolean;
  /** Whether a finger is on the strip: until it goes, nothing but the finger scrolls. */
  readonly isHeld: boolean;
  /** The selected item. */
  readonly selected: Item | null;
  /** How the current item stands. */
  readonly alignment: Alignment | undefined;
  /** The item nearest to where the current one stands. */
  readonly current: Item | undefined;
  /** Scrolls to an item or an offset; resolves once the way is known and the movement begins: `settle` tells of its end. */
  scrollTo(place: Place): Promise<void>;
  /** Selects an item, and brings it to its place. */
  select(index: number, origin?: string): Promise<void>;
  /** Selects none. */
  deselect(): void;
  /** Asks for the newest revision; what is in view stays where it is. */
  reload(revision?: number): void;
  /** Asks for windows of the newest revision, or of that of `head`, to be drawn where `destination` says. */
  renew(destination?: (windows: unknown) => number | undefined, revision?: number | null, head?: Head | null): void;
  /** The nearest offset that can be scrolled to. */
  clamp(offset: number): number;
  /** The offset that shows an item. */
  offsetOf(item: Item, align?: Alignment | "nearest"): number;
  /** One answer of `/window` at the revision, height and pool drawn. */
  window(query: Record<string, unknown>, signal?: AbortSignal): Promise<(Head & {items: Item[]}) | undefined>;
  /** Dispatches an event that bubbles; whether nobody prevented its default. */
  tell(type: string, detail?: unknown): boolean;
  /** The node that shows an item. */
  nodeOf(index: number): HTMLLIElement | null;
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
 * Listens to the strip, or another target, until the strip is disconnected: `types` has blanks between them; where `act`
 * returns false, the default is prevented.
 */
export type On = (types: string, act: (event: any) => unknown, target?: EventTarget, capture?: boolean) => void;

/** Functions that are called for each strip when it is connected; what they return is called when it is not any more. */
export const behaviours: Set<(strip: CarouselStrip, on: On) => void | (() => void)>;

/** The events of strips as they are heard of further up; two have the name of events of the browser's own. */
type CarouselStripOwnEvents = Omit<CarouselStripEvents, "select" | "error">;

declare global {
  interface HTMLElementTagNameMap {
    "carousel-strip": CarouselStrip;
  }
  interface DocumentEventMap extends CarouselStripOwnEvents {}
  interface HTMLElementEventMap extends CarouselStripOwnEvents {}
}

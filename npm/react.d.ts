import type { CSSProperties, ForwardRefExoticComponent, ReactNode, RefAttributes } from "react";
import type { CarouselStrip as Strip, CarouselStripEvents } from "./js/element.js";

/** `onSettle` listens to `settle`, and so on. */
type Listeners = {
  [Type in keyof CarouselStripEvents as `on${Capitalize<Type>}`]?: (event: CarouselStripEvents[Type]) => void;
};

export interface CarouselStripProps extends Listeners {
  strip?: string;
  list?: string | null;
  where?: string | null;
  q?: string | null;
  sort?: string | null;
  height?: number | null;
  loop?: boolean;
  snap?: string | null;
  inset?: number | "center" | null;
  step?: string | null;
  selection?: string | null;
  autoplay?: number | string | null;
  controls?: string | null;
  effects?: boolean;
  indicator?: boolean;
  initialIndex?: number | null;
  initialItem?: string | null;
  history?: boolean;
  live?: boolean | number;
  /** The HTML of the cards of each kind, with placeholders: `{ card: '<p class="title">{title}</p>' }`. */
  templates?: Record<string, string>;
  id?: string;
  className?: string;
  lang?: string;
  dir?: string;
  style?: CSSProperties;
  children?: ReactNode;
  "aria-label"?: string;
  "aria-labelledby"?: string;
}

/** <carousel-strip> as a React component. It renders on the server too. The browser calls `define` of "carousel-strip". */
export const CarouselStrip: ForwardRefExoticComponent<CarouselStripProps & RefAttributes<Strip>>;

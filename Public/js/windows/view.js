// The view of a strip: which items it shows, and in which order.

/** The attributes that say so: parameters of `/window`. */
export const VIEW = ["list", "where", "q", "sort"];

/** All attributes that are parameters of every window. */
export const QUERY = ["strip", ...VIEW];

/** The view that the attributes of a strip ask for, in the order of `VIEW`. `strip.drawnView` is that of the items it shows. */
export const viewOf = (strip) => VIEW.map((name) => strip.option(name) ?? "");
export const isSameView = (one, other) => one.join("\n") === other.join("\n");

// The view of a strip: which items it shows, and in which order.

/** The attributes that say so: parameters of `/window`. */
export const VIEW_ATTRIBUTES = ["list", "where", "q", "sort"];

/** All attributes that are parameters of every window. */
export const QUERY_ATTRIBUTES = ["strip", ...VIEW_ATTRIBUTES];

/** The view that the attributes of a strip ask for, in the order of `VIEW_ATTRIBUTES`. `strip.drawnView` is that of the items it shows. */
export const viewOf = (strip) => VIEW_ATTRIBUTES.map((name) => strip.option(name) ?? "");
export const isSameView = (one, other) => one.join("\n") === other.join("\n");

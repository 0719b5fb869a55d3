// <carousel-strip> with all it can do. A page that wants less imports the behaviours of its choice, then carousel-strip.js.
// In this order they hear of what happens: a height is fitted before anything is at rest, who moves on at rest goes before
// what snaps, and what is shown can be read before it is focused. What two make beside the strip stands the other way
// round.
import "./indicator.js";
import "./pictures.js";
import "./per-view.js";
import "./rest.js";
import "./anchors.js";
import "./drag.js";
import "./landing.js";
import "./snap.js";
import "./place.js";
import "./effects.js";
import "./reading.js";
import "./focus.js";
import "./patience.js";
import "./autoplay.js";
import "./controls.js";
import "./groups.js";
import "./following.js";
import "./impressions.js";
import "./properties.js";
import "./carousel-strip.js";

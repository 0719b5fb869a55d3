// <carousel-strip> with all it can do. A page that wants less imports the behaviours of its choice, then carousel-strip.js.
// In this order they hear of what happens (a height is fitted before anything is at rest), and stand beside the strip.
import "./indicator.js";
import "./pictures.js";
import "./per-view.js";
import "./rest.js";
import "./anchors.js";
import "./snap.js";
import "./drag.js";
import "./landing.js";
import "./focus.js";
import "./place.js";
import "./patience.js";
import "./reading.js";
import "./effects.js";
import "./autoplay.js";
import "./controls.js";
import "./groups.js";
import "./impressions.js";
import "./following.js";
import "./properties.js";
import "./carousel-strip.js";

// The optional plugins, as on-demand.js loads them.
import "./on-demand.js"; // already loaded. So a bundle of this module has only what is not
export { optional } from "./optional.js";

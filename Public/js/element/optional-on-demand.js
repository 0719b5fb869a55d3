// The optional plugins, as on-demand.js loads them.
import "./on-demand.js"; // it is loaded already: this import keeps its code out of the bundle of this module
export { optional } from "./optional.js";

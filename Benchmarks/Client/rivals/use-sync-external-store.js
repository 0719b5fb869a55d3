// React 18 has it.
export { useSyncExternalStore } from "react";

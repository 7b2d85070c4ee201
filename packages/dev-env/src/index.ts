export { dataDirPaths } from "./data-dir.ts";
export { inChild } from "./in-child.ts";
export type { OnProgress, ProgressEvent } from "./progress.ts";
export { startSystem } from "./start-system.ts";
export type { StartSystemOptions, System } from "./start-system.ts";
export { keepTrialLink } from "./trial-link.ts";
export type { SupervisorEvent } from "./supervised-process.ts";

export { callsOf } from "./calls-of.ts";
export { CONTAINER_PORTS } from "./container-ports.ts";
export { eventsOf } from "./events-of.ts";
export type { ProcessDefinition } from "./process-definition.ts";
export { PROCESSES, serviceNames } from "./processes.ts";
export type { ServiceName } from "./processes.ts";
export { addressVariable, sharedVariables, variablesOf } from "./variables-of.ts";
export { WORKSPACE_ROOT } from "./workspace-root.ts";

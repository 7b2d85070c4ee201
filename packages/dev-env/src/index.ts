export type { BackOff } from "./back-off.ts";
export { startNats } from "./nats/start-nats.ts";
export type { NatsServer, StartNatsOptions } from "./nats/start-nats.ts";
export { startPostgres } from "./postgres/start-postgres.ts";
export type { PostgresServer, StartPostgresOptions } from "./postgres/start-postgres.ts";
export type { OnProgress, ProgressEvent } from "./progress.ts";
export { startSystem } from "./start-system.ts";
export type { StartSystemOptions, System } from "./start-system.ts";
export type { SupervisorEvent } from "./supervised-process.ts";

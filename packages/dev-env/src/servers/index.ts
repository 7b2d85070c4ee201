export { anyFreePort } from "./any-free-port.ts";
export { followLogFile, lastLines, openLogFile, sizeOf } from "./log-file.ts";
export { natsServerPath } from "./nats/find-nats-server.ts";
export { servesJetStream, startNatsProcess } from "./nats/nats-process.ts";
export { natsUrl, startNats } from "./nats/start-nats.ts";
export type { NatsServer, StartNatsOptions } from "./nats/start-nats.ts";
export { startPostgres } from "./postgres/start-postgres.ts";
export type { PostgresServer, StartPostgresOptions } from "./postgres/start-postgres.ts";

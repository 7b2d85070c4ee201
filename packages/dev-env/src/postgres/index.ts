export { ensureServiceDatabase } from "./ensure-service-database.ts";
export type { ServiceDatabase } from "./ensure-service-database.ts";
export { startPostgres } from "./start-postgres.ts";
export type { PostgresServer, StartPostgresOptions } from "./start-postgres.ts";

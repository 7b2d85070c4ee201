export { ensureServiceDatabase } from "./ensure-service-database.ts";
export type { ServiceDatabase, ServiceDatabaseUrls } from "./ensure-service-database.ts";
export { ensureKeys, readKeys } from "./keys.ts";
export type { SystemKeys } from "./keys.ts";
export { OperationalError, reasonOf, systemErrorCode } from "./operational-error.ts";
export { readJson, writePrivateJson } from "./private-json.ts";
export { requireUsableTls } from "./require-usable-tls.ts";
export { namedTlsFiles, readTls, TLS_HOST, tlsEnvironment } from "./tls-files.ts";
export type { Environment, TlsFiles } from "./tls-files.ts";

export { addressOf, fileMegabytes, type ShellConfig } from "./environment.ts";
export type { ClockRepair, Consume, Purge, ServiceDefinition, ServiceOverrides } from "./definition.ts";
export { idempotentWrite } from "./idempotent-write.ts";
export { collectionLeaseMs, createLeaseWaits, type LeaseWaits } from "./lease-waits.ts";
export { createPasswordChecks } from "./password-checks.ts";
export type { Shell } from "./shell.ts";
export { serviceSettings } from "./service-settings.ts";
export { startService, type RunningService } from "./start-service.ts";
export { TRANSACTION_SPAN, type Transaction, type Write, type WriteGate } from "./write.ts";

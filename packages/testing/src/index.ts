export { createTestDatabase, testPostgresUrl } from "./create-test-database.ts";
export type { TestDatabase } from "./create-test-database.ts";
export { fixedClock } from "./fixed-clock.ts";
export type { FixedClock } from "./fixed-clock.ts";
export { testNats } from "./nats.ts";
export { testNatsCluster, type TestNatsCluster } from "./nats-cluster.ts";
export type { TestNats } from "./nats.ts";
export { waitFor } from "./wait-for.ts";
export type { WaitForOptions } from "./wait-for.ts";

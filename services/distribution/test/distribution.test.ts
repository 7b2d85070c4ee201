import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import { createLogger } from "@canvass/telemetry";
import { createTestDatabase } from "@canvass/testing";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { generateKeyPairSync } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readDistributionConfig } from "../src/config.ts";
import { startDistributionService } from "../src/service.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const publicKey = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "der" });
const log = createLogger({ service: "test", level: "silent" });

const configFor = (databaseUrl: string) =>
  readDistributionConfig({
    DATABASE_URL: databaseUrl,
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: "0",
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: "0",
    CANVASS_PEER_KEY: "p".repeat(44),
    CANVASS_CALLER_PUBLIC_KEY: publicKey.toString("base64"),
    CANVASS_CURSOR_KEY: "c".repeat(44),
    NATS_URL: "nats://127.0.0.1:1",
  });

test("the process is alive, ready and healthy over its own database", async () => {
  await using database = await createTestDatabase(migrations);
  await using service = await startDistributionService(configFor(database.url), { log });
  expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);
  expect(await (await fetch(`${service.opsUrl}/readyz`)).json()).toEqual({ status: "ok", checks: { database: true } });
  expect(await (await fetch(`${service.opsUrl}/metrics`)).text()).toContain("process_cpu_seconds_total");
  const health = createClient(Health, createGrpcTransport({ baseUrl: service.url }));
  expect((await health.check({})).status).toBe(Status.SERVING);
});

test("without its database it lives on and says that it is not ready", async () => {
  await using service = await startDistributionService(configFor("postgresql://nobody@127.0.0.1:1/none"), { log });
  expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);
  const ready = await fetch(`${service.opsUrl}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ checks: { database: false } });
});

test("a faulty environment is refused with every variable at fault and none of their values", () => {
  const read = () => readDistributionConfig({ CANVASS_RPC_PORT: "many", CANVASS_PEER_KEY: "short-secret" });
  expect(read).toThrow(/CANVASS_RPC_PORT.*CANVASS_PEER_KEY.*DATABASE_URL/s);
  expect(read).not.toThrow(/short-secret/);
});

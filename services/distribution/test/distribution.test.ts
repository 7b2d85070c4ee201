import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import { startTestService, testEnvironment } from "@canvass/service/testing";
import { expect, test } from "vitest";
import { readDistributionConfig } from "../src/config.ts";
import { parts } from "./distribution-fixture.ts";

test("the process is alive, ready and healthy over its own database", async () => {
  await using service = await startTestService(parts);
  expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);
  expect(await (await fetch(`${service.opsUrl}/readyz`)).json()).toEqual({ status: "ok", checks: { database: true } });
  expect(await (await fetch(`${service.opsUrl}/metrics`)).text()).toContain("process_cpu_seconds_total");
  expect((await service.client(Health, {}).check({})).status).toBe(Status.SERVING);
});

test("without its database it is alive but not ready", async () => {
  await using service = await startTestService(parts, { databaseUrl: testEnvironment()["DATABASE_URL"]! });
  expect((await fetch(`${service.opsUrl}/livez`)).status).toBe(200);
  const ready = await fetch(`${service.opsUrl}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ checks: { database: false } });
});

test("a faulty environment is refused with every variable at fault and none of their values", () => {
  const read = () => readDistributionConfig({ CANVASS_RPC_PORT: "many", CANVASS_PEER_KEY: "short-secret" });
  expect(read).toThrow(/CANVASS_PEER_KEY.*CANVASS_RPC_PORT.*DATABASE_URL/s);
  expect(read).not.toThrow(/short-secret/);
});

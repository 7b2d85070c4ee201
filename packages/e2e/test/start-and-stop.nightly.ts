import { PROCESSES } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomFrom, shuffled } from "../src/faults/random.ts";
import type { DemoSystem } from "../src/index.ts";
import { completeRespondent, publishSmallSurvey } from "./small-survey.ts";
import { startTestSystem } from "./test-system.ts";
import { whileFrozen } from "./while-away.ts";

const names = PROCESSES.map(({ name }) => name);
const servers = ["nats", "postgres"];

describe("a whole system", () => {
  let demo: DemoSystem;
  const deaths: Record<string, string> = {};

  beforeAll(async () => {
    const onEvent = (event: { type: string; name: string; reason?: string }) =>
      void (event.type === "ready" || (deaths[event.name] = event.reason ?? event.type));
    demo = await startTestSystem({ durable: true, onEvent });
  });
  afterAll(() => demo?.[Symbol.asyncDispose]());

  const probe = async (name: string, path: string) =>
    (await fetch(`${demo.system.opsUrl(name)}${path}`).catch(() => undefined))?.status;

  const { seed = Date.now() % 1_000_000 } = fc.readConfigureGlobal();
  test.each([
    ["reverse", names.toReversed()],
    [`random (seed ${seed})`, shuffled(randomFrom(seed), names)],
  ])("starts in %s order, database and bus last, and each process becomes ready by itself", async (_order, order) => {
    const { system } = demo;
    for (const name of [...names, ...servers]) await system.stop(name);
    const starting: Promise<void>[] = [];
    for (const name of order) {
      starting.push(system.start(name));
      await waitFor(async () => (await probe(name, "/livez")) === 200, {
        describe: `${name} to live`,
        timeoutMs: 60_000,
      });
    }
    for (const name of order)
      expect({ name, ready: await probe(name, "/readyz") }).toEqual({ name, ready: readyAlone(name) });
    for (const name of servers) await system.start(name);
    await Promise.all(starting);
    const isHealthy = async () => (await demo.api.call("GET", "/health")).status === 200;
    await waitFor(isHealthy, { describe: "a healthy system", timeoutMs: 60_000 });
    await completeRespondent(demo.api, await publishSmallSurvey(demo.api));
    expect(deaths).toEqual({});
  });

  test("while database and bus hang, every process that is asked to stop ends by itself, in the middle of its work", async () => {
    const { system, api } = demo;
    await whileFrozen(system, "postgres", () =>
      whileFrozen(system, "nats", async () => {
        const paths = ["/surveys", "/tokens", "/events", "/event-subscriptions", "/contacts"];
        const waiting = paths.map((path) => api.call("GET", path).catch(() => undefined));
        await Promise.all([...names.map((name) => system.kill(name, "SIGTERM")), ...waiting]);
      }),
    );
    await system.waitReady();
    expect(deaths).toEqual(Object.fromEntries(names.map((name) => [name, "exit code 0"])));
  });
});

/** Without database and bus. */
const readyAlone = (name: string) => (name === "gateway" ? 200 : 503);

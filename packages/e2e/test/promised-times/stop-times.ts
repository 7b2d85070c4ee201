import { PROCESSES } from "@canvass/processes";
import { expect, test } from "vitest";
import type { SharedSystem } from "../shared-system.ts";
import { whileFrozen } from "../while-away.ts";

const names = PROCESSES.map(({ name }) => name);

/** Compose waits for 30 seconds, Kubernetes for 30 after the drain delay. */
const withinMs = 28_000;

/** Tests how long processes take to stop. */
export function testStopTimes(shared: SharedSystem): void {
  test("while database and bus hang, every process that is asked to stop ends in time", async () => {
    const { system, api } = shared.demo;
    const stop = async (name: string): Promise<[string, number]> => {
      const begun = performance.now();
      await system.kill(name, "SIGTERM");
      return [name, performance.now() - begun];
    };
    const spent = await whileFrozen(system, "postgres", () =>
      whileFrozen(system, "nats", async () => {
        const paths = ["/surveys", "/tokens", "/events", "/event-subscriptions", "/contacts"];
        const waiting = paths.map((path) => api.call("GET", path).catch(() => undefined));
        const times = await Promise.all(names.map(stop));
        await Promise.all(waiting);
        return times;
      }),
    );
    await system.waitReady();
    expect(spent.filter(([, ms]) => ms > withinMs)).toEqual([]);
  });
}

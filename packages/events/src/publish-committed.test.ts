import { createLogger } from "@canvass/telemetry";
import { afterEach, expect, test, vi } from "vitest";
import type { Bus } from "./bus.ts";
import { createCommitPublisher } from "./publish-events.ts";

const mebi = 1024 * 1024;
const log = createLogger({ service: "test", level: "silent" });

afterEach(() => void vi.useRealTimers());

test("rows beyond 16 MiB are left to the relay, until those before them are published", async () => {
  let missed = 0;
  const publishing = Promise.withResolvers<undefined>();
  // A bus that hangs. When it resolves without a connection, the waiting events count as missed, too.
  const bus = { connected: true, whenConnected: () => publishing.promise } as Partial<Bus> as Bus;
  const onMissed = () => void (missed += 1);
  const committed = createCommitPublisher({ bus, log, onMissed, onPublished: () => undefined });
  const publish = (mebibytes: number) =>
    committed.publish([{ eventId: "e", type: "audit.recorded", payload: new Uint8Array(mebibytes * mebi) }]);

  publish(10);
  publish(6);
  expect(missed).toBe(0);
  publish(1);
  expect(missed).toBe(1);
  publishing.resolve(undefined);
  await committed.settled();
  missed = 0;
  publish(16);
  expect(missed).toBe(0);
});

/** A bus whose first publication calls `first`; later ones succeed. */
function fakeBus(first: () => Promise<unknown>) {
  const publish = vi.fn<() => Promise<unknown>>(() => Promise.resolve({})).mockImplementationOnce(first);
  const connection = { jetstream: () => ({ publish }) };
  return { connected: true, whenConnected: async () => connection } as unknown as Bus;
}

test.each<[string, () => Promise<unknown>]>([
  ["succeeded", () => Promise.resolve({})],
  ["was refused", () => Promise.reject(new Error("no room"))],
  [
    "threw before its first step",
    () => {
      throw new Error("closed");
    },
  ],
  ["hung", () => new Promise(() => undefined)],
])(
  "after no event at all, and after a publication that %s, the next event is published from memory",
  async (_how, first) => {
    vi.useFakeTimers();
    const onMissed = vi.fn<() => void>();
    const committed = createCommitPublisher({ bus: fakeBus(first), log, onMissed, onPublished: () => undefined });
    const publish = async (...eventIds: string[]) => {
      committed.publish(eventIds.map((eventId) => ({ eventId, type: "audit.recorded", payload: new Uint8Array(1) })));
      await vi.advanceTimersByTimeAsync(10_000);
      await committed.settled();
    };
    await publish();
    await publish("first");
    const wasMissed = onMissed.mock.calls.length;
    await publish();
    await publish("second");
    expect(onMissed).toHaveBeenCalledTimes(wasMissed);
    expect(committed.takePublished(0)).toEqual(wasMissed ? ["second"] : ["first", "second"]);
  },
);

import { createLogger } from "@canvass/telemetry";
import { expect, test } from "vitest";
import type { Bus } from "./bus.ts";
import { createCommittedEvents } from "./publish-committed.ts";

const mebi = 1024 * 1024;

test("rows beyond 16 MiB are left to the relay, until those before them have gone", async () => {
  let missed = 0;
  const publishing = Promise.withResolvers<undefined>();
  // A bus that hangs; what is given up then counts as missed, too.
  const bus = { connected: true, whenConnected: () => publishing.promise } as Partial<Bus> as Bus;
  const log = createLogger({ service: "test", level: "silent" });
  const onMissed = () => void (missed += 1);
  const committed = createCommittedEvents({ bus, log, onMissed, onPublished: () => undefined });
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

import { AppError } from "@canvass/errors";
import { EventSchema } from "@canvass/proto/events";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { createPush } from "./push-change.ts";

const event = create(EventSchema, { eventId: "event00000000001" });
const log = { warn: () => undefined } as never;
const outcomeOf = (handOverEvents: () => Promise<{ storedEventIds: string[] }>) =>
  createPush(
    { handOverEvents } as never,
    { consumer: "collecting", part: "response" },
    log,
  )(event).then(
    () => "in effect",
    ({ code, message }: AppError) => [code, message].join(": "),
  );

test.each([
  ["is taken is in effect", async () => ({ storedEventIds: [event.eventId] }), /^in effect$/],
  [
    "meets a service of the version before is in effect",
    () => Promise.reject(new AppError("invalid_request")),
    /^in effect$/,
  ],
  [
    "reaches nobody is refused as unavailable",
    () => Promise.reject(new AppError("service_unavailable")),
    /^service_unavailable: .*as soon as/,
  ],
  [
    "is not taken, as after a restore, is refused with the runbook",
    async () => ({ storedEventIds: [] }),
    /^service_unavailable: .*backup-and-restore\.md/,
  ],
])("a change that %s", async (_, handOver, outcome) => {
  expect(await outcomeOf(handOver)).toMatch(outcome);
});

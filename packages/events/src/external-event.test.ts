import { create } from "@bufbuild/protobuf";
import { EventSchema } from "@canvass/proto/events";
import { expect, test } from "vitest";
import { externalEvent, externalEventBody } from "./external-event.ts";

test("the body of a completed response is these bytes", () => {
  const event = create(EventSchema, {
    eventId: "e1",
    workspaceId: 'w"1',
    body: {
      case: "responseCompleted",
      value: { surveyId: "s1", responseId: "r1", completedAt: "2026-03-01", timestamp: "2026-03-01T00:00:00.000Z" },
    },
  });
  const external = externalEvent(event)!;
  expect(externalEventBody(external)).toBe(
    '{"type":"response.completed","timestamp":"2026-03-01T00:00:00.000Z",' +
      '"data":{"workspace_id":"w\\"1","survey_id":"s1","response_id":"r1","completed_at":"2026-03-01"}}',
  );
});

test("internal events are not shown", () => {
  const body = { case: "tokenRevoked", value: { tokenId: "t1" } } as const;
  expect(externalEvent(create(EventSchema, { body }))).toBeUndefined();
});

import { fromBinary } from "@bufbuild/protobuf";
import { connectBus, eventSubject } from "@canvass/events";
import { EventBatchSchema, type Event } from "@canvass/proto/events";
import { callOptions } from "@canvass/rpc";
import { createLogger } from "@canvass/telemetry";
import { testNats, waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { codeOf, idempotency, signedPerson } from "../test-kit/index.ts";
import { startNotes } from "./note-service.ts";

const log = createLogger({ service: "test", level: "silent" });
const noteOf = ({ body }: Event) => (body.case === "auditRecorded" ? body.value.resourceId : "");

test("events of a write reach the bus after its commit; those of a write that is rolled back never do", async () => {
  await using nats = await testNats();
  await using bus = connectBus({ url: nats.url, name: "listener", log });
  await using service = await startNotes({}, { natsUrl: nats.url });
  const published: string[] = [];
  using _listening = bus.listen(eventSubject("audit.recorded"), (bytes) => {
    published.push(...fromBinary(EventBatchSchema, bytes).events.map(noteOf));
  });
  const signedCaller = signedPerson();
  const create = (bodyJson: string) =>
    codeOf(
      service.notes.createSurvey(
        { bodyJson },
        callOptions({ signedCaller, idempotency: idempotency(bodyJson, bodyJson) }),
      ),
    );
  const arrived = (note: string) => waitFor(() => published.includes(note), { describe: `the event of ${note}` });

  await (await bus.whenConnected(AbortSignal.timeout(60_000)))!.flush();
  expect(await create("first")).toBe("fine");
  await arrived("first");
  // The record is written after the event, so the write fails once the outbox has the event.
  await service.sql("ALTER TABLE idempotency_records ADD CONSTRAINT refuse CHECK (false) NOT VALID");
  expect(await create("refused")).toBe("internal_error");
  await service.sql("ALTER TABLE idempotency_records DROP CONSTRAINT refuse");
  // Arrives after all that was published before.
  expect(await create("last")).toBe("fine");
  await arrived("last");
  expect(published).not.toContain("refused");
});

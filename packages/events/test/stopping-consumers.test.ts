import { natsAccess, waitFor } from "@canvass/testing";
import { connect, nanos } from "nats";
import { afterEach, beforeEach, expect, test } from "vitest";
import { durableName } from "../src/durable-consumers.ts";
import { EVENT_STREAM } from "../src/streams.ts";
import { openEventPath, someEvent, type EventPath } from "./event-path.ts";
import { create, toBinary } from "@bufbuild/protobuf";
import { EventBatchSchema } from "@canvass/proto/events";

let eventPath: EventPath;
beforeEach(async () => {
  eventPath = await openEventPath();
});
afterEach(() => eventPath[Symbol.asyncDispose]());

test("what the server has sent to a consumer that stops reaches the other one at once", async () => {
  await using stack = new AsyncDisposableStack();
  const nats = stack.adopt(await connect(natsAccess(eventPath.nats.url)), (each) => each.close());
  const jsm = await nats.jetstreamManager({ checkAPI: false });
  const durable = durableName("feed", "response.completed");
  const isIdle = async () => {
    const info = await jsm.consumers.info(EVENT_STREAM, durable);
    return info.num_ack_pending === 0 && info.num_pending === 0;
  };
  const publish = () => {
    const batch = create(EventBatchSchema, { events: [someEvent()] });
    nats.publish("canvass.events.response.completed", toBinary(EventBatchSchema, batch));
  };
  const store = async () => undefined;
  stack.use(eventPath.consume({ consumers: ["feed"], store }));
  for (let stop = 0; stop < 4; stop += 1) {
    let heard = 0;
    const stopping = eventPath.consume({ consumers: ["feed"], store: async () => void (heard += 1) });
    const flow = setInterval(() => Array.from({ length: 20 }, publish), 1);
    await waitFor(() => heard > 1, { describe: "messages to flow" });
    // What the consumer does not hand back comes to the other one only after this time, longer than the test.
    await jsm.consumers.update(EVENT_STREAM, durable, { ack_wait: nanos(600_000) });
    await stopping[Symbol.asyncDispose]();
    clearInterval(flow);
    await waitFor(isIdle, { describe: "every message to be acknowledged" });
  }
  expect(await isIdle()).toBe(true);
});

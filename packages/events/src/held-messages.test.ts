import type { Event } from "@canvass/proto/events";
import type { JsMsg } from "nats";
import { expect, test } from "vitest";
import { createHeldMessages, type Received } from "./held-messages.ts";

/** A message with the given number of events per workspace. */
function messageOf(name: string, events: Record<string, number>, bytes = 100): Received & { told: string[] } {
  const told: string[] = [];
  const message = {
    subject: name,
    data: new Uint8Array(bytes),
    working: () => told.push("working"),
    nak: () => told.push("nak"),
  };
  const all = Object.entries(events).flatMap(([workspaceId, count]) =>
    Array.from({ length: count }, () => ({ workspaceId }) as Event),
  );
  return { message: message as unknown as JsMsg, events: all, told };
}

function holding(...messages: Received[]) {
  const held = createHeldMessages(() => 0);
  for (const each of messages) held.add(each);
  const names = () => held.take().map(({ message }) => message.subject);
  return { held, names };
}

const full = (count: number) => Array.from({ length: count }, (_, at) => messageOf(`big ${at}`, { big: 100 }));

test("a workspace that comes behind a burst of another is next, and each keeps its order", () => {
  const { held, names } = holding(...full(40));
  expect(names()).toEqual(["big 0"]);
  for (const at of [0, 1]) held.add(messageOf(`small ${at}`, { small: 1 }));
  held.add(messageOf("mixed", { big: 99, other: 1 }));
  // Messages that do not fit into a batch are skipped; the first of them begins the next batch.
  expect(names()).toEqual(["small 0", "small 1"]);
  expect(names()).toEqual(["mixed"]);
  for (let at = 1; at < 40; at += 1) expect(names()).toEqual([`big ${at}`]);
  expect(held.size).toBe(0);
});

test("a batch has eight messages or a hundred events, and at least one message", () => {
  const small = Array.from({ length: 20 }, (_, at) => messageOf(`s${at}`, { [`w${at % 3}`]: 1 }));
  const { names } = holding(...small);
  expect(names()).toHaveLength(8);
  expect(names()).toHaveLength(8);
  expect(names()).toHaveLength(4);
  const { names: few } = holding(messageOf("a", { a: 60 }), messageOf("b", { b: 40 }), messageOf("c", { c: 1 }));
  expect(few()).toEqual(["a", "b"]);
  expect(few()).toEqual(["c"]);
  expect(holding(messageOf("empty", {}), messageOf("large", { w: 500 })).names()).toEqual(["empty"]);
});

test("more is pulled until sixty-four messages or eight megabytes are held", () => {
  expect(holding(...full(63)).held.hasCapacity).toBe(true);
  expect(holding(...full(64)).held.hasCapacity).toBe(false);
  const { held } = holding(...Array.from({ length: 8 }, (_, at) => messageOf(`${at}`, { w: 1 }, 1024 * 1024)));
  expect(held.hasCapacity).toBe(false);
  held.take();
  expect(held.hasCapacity).toBe(true);
});

test("the ack deadline of messages is extended every ten seconds; messages that are given back are no longer held", () => {
  let now = 0;
  const held = createHeldMessages(() => now);
  const [first, second] = [messageOf("first", { w: 1 }), messageOf("second", { w: 1 })];
  held.add(first);
  now = 9999;
  held.add(second);
  held.renew();
  expect(first.told).toEqual([]);
  now = 10_000;
  held.renew();
  held.renew();
  expect([first.told, second.told]).toEqual([["working"], []]);
  now = 20_000;
  held.renew();
  expect([first.told, second.told]).toEqual([["working", "working"], ["working"]]);
  held.giveBack();
  expect([first.told.at(-1), second.told.at(-1), held.size]).toEqual(["nak", "nak", 0]);
});

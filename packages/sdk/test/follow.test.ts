import { expect, test } from "vitest";
import { memoryStore, type CanvassError, type CursorStore } from "../src/index.ts";
import { refuse, sendPage, serve, type Seen } from "./serve.ts";
import type { ServerResponse } from "node:http";

const events = Array.from({ length: 7 }, (_, index) => ({
  id: `e${index}`,
  type: "response.completed",
  cursor: `c${index}`,
}));

/** A feed with two events to a page. Of three requests in a row, the first two fail. */
function sendEvents(response: ServerResponse, { query }: Seen, number: number) {
  if (number % 3 === 1) return void response.socket!.destroy();
  if (number % 3 === 2) return refuse(response, 503, "service_unavailable", { retryable: true, "retry-after": "0" });
  const from = events.findIndex(({ cursor }) => cursor === query.get("cursor")) + 1;
  const page = events.slice(from, from + 2);
  sendPage(response, page, page.at(-1)?.cursor ?? query.get("cursor"), from + 2 < events.length);
}

test("each event is handled once over failures and restarts; one whose handling threw comes again", async () => {
  await using server = await serve(sendEvents);
  let saved: string | undefined;
  const store: CursorStore = { load: () => saved, save: async (cursor) => void (saved = cursor) };
  const handled: string[] = [];
  let encounters = 0;
  const controller = new AbortController();
  const work = async () => {
    for await (const event of server.canvass.events.follow({ store, pollMs: 1, signal: controller.signal })) {
      if (["e2", "e5"].includes(event.id) && encounters++ % 2 === 0) throw new Error(`no room for ${event.id}`);
      handled.push(event.id);
      if (event.id === "e6") controller.abort();
    }
  };
  await expect(work()).rejects.toThrow("no room for e2");
  expect(saved).toBe("c1");
  await expect(work()).rejects.toThrow("no room for e5");
  await work();
  expect(handled).toEqual(events.map(({ id }) => id));
  // The event that was handled when the signal came is saved.
  expect(saved).toBe("c6");
});

test("retryable failures are retried beyond the retries of a call, and reported; other failures end the loop", async () => {
  const told: CanvassError[] = [];
  await using server = await serve(
    (response, _seen, number) => {
      if (number < 4) refuse(response, 503, "service_unavailable", { retryable: true, "retry-after": "0" });
      else if (number === 4) sendPage(response, events.slice(0, 1), "c0", false);
      else refuse(response, 403, "feature_locked");
    },
    { retries: 0 },
  );
  const happened: string[] = [];
  const work = async () => {
    const onPage = () => void happened.push("page");
    const options = {
      store: memoryStore("c-1"),
      pollMs: 1,
      onPage,
      onFailure: (error: CanvassError) => void told.push(error),
    };
    for await (const { id } of server.canvass.events.follow(options)) happened.push(id);
  };
  await expect(work()).rejects.toMatchObject({ code: "feature_locked" });
  expect(happened).toEqual(["page", "e0"]);
  expect(told.map(({ code }) => code)).toEqual(Array(3).fill("service_unavailable"));
  expect(server.seen.map(({ query }) => query.get("cursor"))).toEqual([...Array(4).fill("c-1"), "c0"]);
});

test("a signal ends the wait for events without an error", async () => {
  const controller = new AbortController();
  await using server = await serve((response) => sendPage(response, [], null, false));
  const following = server.canvass.events.follow({
    pollMs: 60_000,
    signal: controller.signal,
    onPage: () => void setImmediate(() => controller.abort()),
  });
  expect(await Array.fromAsync(following)).toEqual([]);
});

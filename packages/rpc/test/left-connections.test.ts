import { once } from "node:events";
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { keepSessions } from "../src/sessions.ts";

afterEach(() => void vi.useRealTimers());

test("a left connection stays open until its calls have ended, however long they take, then closes", async () => {
  let open = 0;
  const server = createServer();
  server.on("session", (session) => {
    open += 1;
    session.on("close", () => (open -= 1));
  });
  server.on("stream", (stream: ServerHttp2Stream) => {
    stream.on("error", () => undefined);
    stream.respond({ ":status": 200 });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  using _server = { [Symbol.dispose]: () => void server.close() };
  using sessions = keepSessions({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const upload = await sessions.request("POST", "/", {}, {});
  await once(upload, "response");

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  sessions.leave();
  for (let minutes = 0; minutes < 10; minutes += 2) {
    vi.advanceTimersByTime(120_000);
    await new Promise(setImmediate);
  }
  expect([upload.destroyed, open]).toEqual([false, 1]);

  const closed = once(upload, "close");
  upload.close();
  await closed;
  vi.advanceTimersByTime(120_000);
  vi.useRealTimers();
  await expect.poll(() => open).toBe(0);
});

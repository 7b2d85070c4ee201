import { expect, test } from "vitest";
import type { SampleWork } from "../../test/sample-thread.ts";
import { createThreads, type ThreadsOptions } from "./create-threads.ts";

const program = new URL("../../test/sample-thread.ts", import.meta.url);
const start = (options: Partial<ThreadsOptions> = {}) =>
  createThreads<SampleWork, number | string>({ program, idleMs: 600_000, ...options });
const { signal } = new AbortController();

test("work is performed in a kept thread, also after work that was refused", async () => {
  await using threads = start();
  const first = await threads.run("tell", signal);
  await expect(threads.run("refuse", signal)).rejects.toMatchObject({ code: "quota_exceeded", details: { limit: 1 } });
  await expect(threads.run("throw", signal)).rejects.toThrow("no room");
  expect(await threads.run("tell", signal)).toBe(first);
});

test("a thread whose work failed is not kept where that may have left something under way", async () => {
  await using threads = start({ endOnError: true });
  const first = await threads.run("tell", signal);
  expect(await threads.run("tell", signal)).toBe(first);
  await expect(threads.run("refuse", signal)).rejects.toMatchObject({ code: "quota_exceeded" });
  expect(await threads.run("tell", signal)).not.toBe(first);
});

test("two works at once have two threads, and each its own without an idle time", async () => {
  await using kept = start();
  const [one, other] = await Promise.all([kept.run("tell", signal), kept.run("tell", signal)]);
  expect(one).not.toBe(other);
  await using own = start({ idleMs: 0 });
  expect(await own.run("tell", signal)).not.toBe(await own.run("tell", signal));
});

test("a thread that ends, or needs too much memory, fails its work alone", async () => {
  await using threads = start({ mostMemory: 16 });
  await expect(threads.run("end", signal)).rejects.toThrow("the thread ended with code 3");
  await expect(threads.run("fill", signal)).rejects.toMatchObject({ code: "ERR_WORKER_OUT_OF_MEMORY" });
  expect(await threads.run("tell", signal)).toBeGreaterThan(0);
});

test("aborting ends a thread that hangs, and refuses work that was not begun", async () => {
  await using threads = start();
  const leaving = new AbortController();
  const hanging = threads.run("hang", leaving.signal);
  leaving.abort(new Error("given up"));
  await expect(hanging).rejects.toThrow("given up");
  await expect(threads.run("tell", leaving.signal)).rejects.toThrow("given up");
  expect(await threads.run("tell", signal)).toBeGreaterThan(0);
});

test("closing ends running work", async () => {
  const threads = start();
  const ends = Promise.allSettled([threads.run("hang", signal)]);
  await threads[Symbol.asyncDispose]();
  expect(await ends).toMatchObject([
    { status: "rejected", reason: { message: expect.stringContaining("the thread ended") as string } },
  ]);
  await expect(threads.run("tell", signal)).rejects.toMatchObject({ code: "service_unavailable" });
});

test("a thread may ask its owner while it works", async () => {
  await using threads = start({ idleMs: 0 });
  const told = await threads.run("ask", signal, (thread) => {
    thread.on("message", (message: object) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
      if ("question" in message) thread.postMessage({ told: "this" });
    });
  });
  expect(told).toBe("this");
});

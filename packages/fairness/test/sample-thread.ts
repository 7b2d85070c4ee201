import { AppError } from "@canvass/errors";
import { parentPort, threadId } from "node:worker_threads";
import { answerOwner } from "../src/threads/answer-owner.ts";

export type SampleWork = "tell" | "refuse" | "throw" | "end" | "hang" | "fill" | "ask";

const asked = Promise.withResolvers<string>();
parentPort!.on("message", (message: { told?: string }) => message.told && asked.resolve(message.told));

answerOwner(async (work: SampleWork): Promise<number | string> => {
  if (work === "refuse") throw new AppError("quota_exceeded", { limit: 1 });
  if (work === "throw") throw new RangeError("no room");
  // oxlint-disable-next-line node/no-process-exit -- ends this thread only
  if (work === "end") process.exit(3);
  if (work === "hang") for (;;);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
  if (work === "ask") parentPort!.postMessage({ question: "what?" });
  if (work === "ask") return asked.promise;
  const held: string[][] = [];
  if (work === "fill") for (;;) held.push(Array.from({ length: 10_000 }, (_, index) => `${index} of ${held.length}`));
  return threadId;
});

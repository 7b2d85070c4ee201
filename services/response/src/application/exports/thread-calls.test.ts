import { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { MessageChannel } from "node:worker_threads";
import { answerCalls, callsTo } from "./thread-calls.ts";

interface Host {
  add(numbers: [number, number]): Promise<number>;
  refuse(): Promise<void>;
  throwAtOnce(): Promise<void>;
  answerCode(): Promise<unknown>;
  missing(): Promise<void>;
}

test("every call is answered, also one that fails before its first step, or whose answer cannot be sent", async () => {
  const { port1, port2 } = new MessageChannel();
  const thrown: unknown[] = [];
  const host: Omit<Host, "missing"> = {
    add: async ([one, other]) => one + other,
    refuse: () => Promise.reject(new AppError("quota_exceeded", { limit: 1 })),
    throwAtOnce: () => {
      throw new RangeError("at once");
    },
    answerCode: async () => () => "code",
  };
  answerCalls(port1, { ...host }, (error) => thrown.push(error));
  const calls = callsTo<Host>(port2);
  expect(await calls.add([1, 2])).toBe(3);
  await expect(calls.refuse()).rejects.toMatchObject({ code: "quota_exceeded", details: { limit: 1 } });
  await expect(calls.throwAtOnce()).rejects.toThrow("at once");
  await expect(calls.answerCode()).rejects.toThrow(/could not be cloned/);
  await expect(calls.missing()).rejects.toThrow(/not a function/);
  expect(thrown).toHaveLength(4);
  expect(await calls.add([3, 4])).toBe(7);
  port1.close();
});

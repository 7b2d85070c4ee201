import { expect, test } from "vitest";
import { createLastKnown, type Known } from "./last-known.ts";

const options = { maxEntries: 10, staleForMs: 60_000, patienceMs: 1_000, awayPatienceMs: 50 };
const soon = () => performance.now() + 60_000;

type Answer = Partial<Known<string>> | Promise<Known<string>> | Error;

function asking(answers: Answer[]) {
  let asked = 0;
  const find = createLastKnown(
    async (_ref: string) => {
      const answer = answers[asked++]!;
      if (answer instanceof Error) throw answer;
      return { value: "", until: soon(), renewFrom: soon(), ...(await answer) };
    },
    (ref) => ref,
    options,
  );
  return { find, asked: () => asked };
}

test("an answer that runs out soon is used at once while one question asks for another", async () => {
  const second = Promise.withResolvers<Known<string>>();
  const { find, asked } = asking([{ value: "first", renewFrom: 0 }, second.promise, new Error("asked too often")]);
  expect(await find("s")).toBe("first");
  expect(await Promise.all([find("s"), find("s"), find("s")])).toEqual(["first", "first", "first"]);
  expect(asked()).toBe(2);
  second.resolve({ value: "second", until: soon(), renewFrom: soon() });
  await expect.poll(() => find("s")).toBe("second");
  expect(asked()).toBe(2);
});

test("a late answer to an earlier question changes nothing, and a failed question costs nothing", async () => {
  const until = soon();
  const { find, asked } = asking([
    { value: "new", until, renewFrom: 0 },
    { value: "old", until: until - 1 },
    new Error("away"),
    { value: "newest" },
  ]);
  expect(await find("s")).toBe("new");
  expect(await find("s")).toBe("new");
  await expect.poll(() => find("s")).toBe("newest");
  expect(asked()).toBe(4);
});

import { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { unlessHanging } from "./unless-hanging.ts";

function hangable() {
  const calls: { item: number; end: PromiseWithResolvers<string> }[] = [];
  const ask = unlessHanging((item: number) => {
    const end = Promise.withResolvers<string>();
    calls.push({ item, end });
    return end.promise;
  }, "otherwise");
  return { calls, ask };
}

const late = () => new AppError("deadline_exceeded");

test("waits for the result, and rejects as the call does", async () => {
  const { calls, ask } = hangable();
  const [one, two] = [ask(1), ask(2)];
  calls[0]!.end.resolve("found");
  calls[1]!.end.reject(new AppError("service_unavailable"));
  expect(await one).toBe("found");
  await expect(two).rejects.toMatchObject({ code: "service_unavailable" });
  void ask(3);
  expect(calls).toHaveLength(3);
});

test("after a late call no caller waits, one call at a time runs, and its end restores results", async () => {
  const { calls, ask } = hangable();
  const first = ask(1);
  calls[0]!.end.reject(late());
  await expect(first).rejects.toMatchObject({ code: "deadline_exceeded" });

  expect(await Promise.all([ask(2), ask(3), ask(4)])).toEqual(["otherwise", "otherwise", "otherwise"]);
  expect(calls.map(({ item }) => item)).toEqual([1, 2]);
  calls[1]!.end.reject(late());
  await new Promise(setImmediate);
  expect(await ask(5)).toBe("otherwise");
  expect(calls.map(({ item }) => item)).toEqual([1, 2, 5]);

  calls[2]!.end.resolve("found");
  await new Promise(setImmediate);
  const again = ask(6);
  calls[3]!.end.resolve("found again");
  expect(await again).toBe("found again");
});

test.each(["service_unavailable", "internal_error"] as const)("%s in time ends the hanging, too", async (code) => {
  const { calls, ask } = hangable();
  const first = ask(1);
  calls[0]!.end.reject(late());
  await first.catch(() => undefined);
  await ask(2);
  calls[1]!.end.reject(new AppError(code));
  await new Promise(setImmediate);
  const again = ask(3);
  calls[2]!.end.resolve("found");
  expect(await again).toBe("found");
});

import { expect, test } from "vitest";
import { createPasswordChecks } from "./password-checks.ts";

test("two are checked at a time, fifty wait, and more are refused", async () => {
  let running = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const check = createPasswordChecks(async (password, hash) => {
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => waiting.push(resolve));
    running -= 1;
    return password === hash;
  });
  const checks = Array.from({ length: 60 }, (_, n) =>
    check(String(n % 2), "1").catch(({ code }: { code: string }) => code),
  );
  const outcomes = Promise.all(checks);
  const refused = Array.from({ length: 8 }, () => "service_unavailable");
  expect(await Promise.all(checks.slice(52))).toEqual(refused);
  const isDone = outcomes.then(() => true);
  while (!(await Promise.race([isDone, new Promise<false>((resolve) => setImmediate(resolve, false))])))
    waiting.shift()?.();
  expect([most, running]).toEqual([2, 0]);
  expect((await outcomes).slice(0, 4)).toEqual([false, true, false, true]);
});

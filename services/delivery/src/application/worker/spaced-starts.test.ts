import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createSpacedStarts } from "./spaced-starts.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

test("callers that come together continue in their order, a gap apart; one that comes later does not wait", async () => {
  const waitForGap = createSpacedStarts(5, async () => undefined);
  const begun = performance.now();
  const gone: [number, number][] = [];
  const come = (who: number) => waitForGap().then(() => gone.push([who, performance.now() - begun]));
  const together = [come(1), come(2), come(3)];
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toEqual([[1, 0]]);
  await vi.advanceTimersByTimeAsync(20);
  await Promise.all(together);
  await come(4);
  expect(gone).toEqual([
    [1, 0],
    [2, 5],
    [3, 10],
    [4, 20],
  ]);
});

test("while many callers wait, none waits for `before`", async () => {
  const waitForGap = createSpacedStarts(5, () => new Promise((resolve) => setTimeout(resolve, 20)));
  const begun = performance.now();
  const gone: number[] = [];
  const together = Array.from({ length: 1000 }, () => waitForGap().then(() => gone.push(performance.now() - begun)));
  await vi.advanceTimersByTimeAsync(5200);
  await Promise.all(together);
  expect(gone[994]).toBeLessThan(995 * 5);
});

test("while few wait, each waits for `before`, and the gap begins after it", async () => {
  const waitForGap = createSpacedStarts(5, () => new Promise((resolve) => setTimeout(resolve, 10)));
  const begun = performance.now();
  const gone: number[] = [];
  const together = [waitForGap(), waitForGap()].map((each) => each.then(() => gone.push(performance.now() - begun)));
  await vi.advanceTimersByTimeAsync(25);
  await Promise.all(together);
  expect(gone).toEqual([10, 25]);
});

test("a failure of `before` holds up no caller", async () => {
  const before = vi.fn<() => Promise<void>>(() => Promise.resolve()).mockRejectedValueOnce(new Error("no"));
  const waitForGap = createSpacedStarts(5, before);
  const together = Array.from({ length: 8 }, () => waitForGap());
  await vi.advanceTimersByTimeAsync(40);
  await Promise.all(together);
  expect(before).toHaveBeenCalledTimes(5);
});

import { describe, expect, expectTypeOf, test } from "vitest";
import { waitFor } from "./wait-for.ts";

describe("waitFor", () => {
  test("gives back the first truthy answer", async () => {
    let asked = 0;
    expect(await waitFor(() => (++asked === 3 ? "now" : ""), { describe: "the third time" })).toBe("now");
    expect(asked).toBe(3);
  });

  test("says in its type that nothing falsy is given back", async () => {
    const found = ["row"] as false | 0 | 0n | "" | null | undefined | string[];
    expectTypeOf(await waitFor(() => found, { describe: "a row" })).toEqualTypeOf<string[]>();
    expectTypeOf(await waitFor(async () => found !== 0, { describe: "a truth" })).toEqualTypeOf<true>();
  });

  test("retries a condition that throws", async () => {
    let asked = 0;
    const condition = async () => {
      if (++asked < 3) throw new Error("too early");
      return asked;
    };
    expect(await waitFor(condition, { describe: "three" })).toBe(3);
  });

  test("fails with the awaited condition and the last state", async () => {
    const never = waitFor(() => 0, { describe: "a miracle", timeoutMs: 30 });
    await expect(never).rejects.toThrow("waited 30 ms in vain for a miracle; the last answer was 0");
    const failing = waitFor(() => Promise.reject(new Error("no such row")), { describe: "a row", timeoutMs: 30 });
    await expect(failing).rejects.toThrow("waited 30 ms in vain for a row; it failed last: no such row");
  });
});

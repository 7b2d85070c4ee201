import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstIdOf, newId, timeOfId } from "./new-id.ts";

const DAY_MS = 86_400_000;
const timeOf = (id: string) => timeOfId(id).getTime();
const moments = fc.date({
  min: new Date("2020-01-01T00:00:00Z"),
  max: new Date("2100-01-01T00:00:00Z"),
  noInvalidDate: true,
});
const timed = moments.filter((date) => date.getTime() % DAY_MS !== 0);

describe("newId", () => {
  test("is 16 lower-case letters and digits for any date", () => {
    fc.assert(
      fc.property(moments, (date) => {
        expect(newId(date)).toMatch(/^[0-9a-z]{16}$/);
      }),
    );
  });

  test("sorts as the dates do, and carries the date", () => {
    const two = fc.uniqueArray(timed, { minLength: 2, maxLength: 2, selector: (date) => date.getTime() });
    fc.assert(
      fc.property(two, ([a, b]) => {
        const [idA, idB] = [newId(a!), newId(b!)];
        expect([timeOf(idA), timeOf(idB)]).toEqual([a!.getTime(), b!.getTime()]);
        expect(idA < idB).toBe(a! < b!);
      }),
    );
  });

  test("strictly increases within one millisecond, 100,000 times over", () => {
    const now = new Date("2026-05-04T10:11:12.345Z");
    let last = "";
    for (let i = 0; i < 100_000; i++) {
      const id = newId(now);
      if (id <= last) throw new Error(`${id} does not follow ${last}`);
      last = id;
    }
    expect(timeOf(last)).toBe(now.getTime());
  });

  test("keeps the requested free space, whatever is created next", () => {
    const now = new Date("2026-05-04T10:11:12.346Z");
    const tails = Array.from({ length: 1000 }, (_, index) => {
      const id = newId(now, index % 2 === 0 ? 1_000_000 : 0);
      return Number.parseInt(id.slice(8), 36);
    });
    const gaps = tails.slice(1).map((tail, index) => tail - tails[index]!);
    expect(gaps.every((gap, index) => gap > (index % 2 === 0 ? 1_000_000 : 0))).toBe(true);
    for (let i = 0; i < 1000; i++) {
      const tail = Number.parseInt(newId(new Date(Date.UTC(2026, 4, 4)), 36 ** 8 - 10).slice(8), 36);
      expect(tail).toBeLessThan(10);
    }
  });

  test("an id made for a day reveals the day, but neither order nor time", () => {
    const day = Date.UTC(2026, 4, 4);
    const ids = Array.from({ length: 2000 }, () => newId(new Date(day)));
    expect(ids.every((id) => timeOf(id) >= day && timeOf(id) < day + DAY_MS)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    const hours = new Set(ids.map((id) => Math.floor((timeOf(id) - day) / 3_600_000)));
    expect(hours.size).toBe(24);
    const rising = ids.filter((id, index) => index > 0 && id > (ids[index - 1] ?? "")).length;
    expect(rising / ids.length).toBeGreaterThan(0.4);
    expect(rising / ids.length).toBeLessThan(0.6);
  });

  test("interleaved clocks keep making different ids", () => {
    const clocks = [new Date("2026-05-04T10:00:00.001Z"), new Date("2026-05-04T10:00:00.002Z")];
    const ids = Array.from({ length: 20_000 }, (_, index) => newId(clocks[index % 2] ?? new Date()));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([new Date("2019-12-31T23:59:59.999Z"), new Date(Number.NaN), new Date("2150-01-01")])(
    "refuses %s",
    (date) => {
      expect(() => newId(date)).toThrow(RangeError);
    },
  );

  test("ids from a time on are not below its firstIdOf, and a time that no id has gives the nearest one", () => {
    fc.assert(
      fc.property(timed, timed, (made, time) => {
        expect(newId(made) >= firstIdOf(time)).toBe(made >= time);
      }),
    );
    expect(firstIdOf(new Date("1970-01-01T00:00:00Z"))).toBe("0".repeat(16));
    expect(firstIdOf(new Date("9999-01-01T00:00:00Z"))).toBe("zzzzzzzz00000000");
  });
});

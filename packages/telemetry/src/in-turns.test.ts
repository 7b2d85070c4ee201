import { expect, test } from "vitest";
import { atPace, createPacer, inTurns, mapInTurns } from "./in-turns.ts";

function work(milliseconds: number): void {
  const ends = performance.now() + milliseconds;
  while (performance.now() < ends);
}

test("however much long work there is, others get their turn after one piece of it", async () => {
  let turns = 0;
  let done = false;
  const others = () => {
    turns += 1;
    if (!done) setImmediate(others);
  };
  setImmediate(others);
  const long = Array.from({ length: 5 }, () => mapInTurns(Array.from({ length: 20 }), () => work(2)));
  await Promise.all(long);
  done = true;
  // 5 x 20 x 2 ms are 200 ms, in pieces of 5 to 7.
  expect(turns).toBeGreaterThanOrEqual(25);
});

test("work that is a part of other long work shares its pace", async () => {
  let turns = 0;
  let done = false;
  const others = () => {
    turns += 1;
    if (!done) setImmediate(others);
  };
  setImmediate(others);
  function* part(name: string) {
    for (let piece = 0; piece < 10; piece += 1) {
      yield;
      work(2);
    }
    return name;
  }
  const pace = createPacer();
  expect([await atPace(pace, part("a")), await atPace(pace, part("b"))]).toEqual(["a", "b"]);
  done = true;
  // 2 x 10 x 2 ms, in pieces of 5 to 7.
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("what the work returns or throws arrives, and a map keeps its order", async () => {
  expect(await mapInTurns([3, 1, 2], (item, index) => item * 10 + index)).toEqual([30, 11, 22]);
  function* failing() {
    yield;
    throw new Error("no luck");
  }
  await expect(inTurns(failing())).rejects.toThrow("no luck");
});

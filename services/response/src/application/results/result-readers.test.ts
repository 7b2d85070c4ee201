import { expect, test } from "vitest";
import { createResultReaders } from "./result-readers.ts";

const ownViolation = "reads too many results";
const limits = { free: 0, heldByWorkspace: 100, held: 150 };

test("a workspace holds at most its limit, all of them at most the total, until their readers leave", () => {
  const readers = createResultReaders(limits);
  const [first, second, other] = [readers.enter("a"), readers.enter("a"), readers.enter("b")];
  first.hold(60);
  second.hold(40);
  expect(() => second.hold(1)).toThrow(ownViolation);
  other.hold(50);
  expect(() => other.hold(1)).toThrow("not available");
  first[Symbol.dispose]();
  other.hold(50);
  second.hold(10);
  expect(() => second.hold(1)).toThrow("not available");
  for (const reader of [second, other]) reader[Symbol.dispose]();
  readers.enter("a").hold(100);
});

test("a small result always passes, and counts whole once it exceeds the free length", () => {
  const readers = createResultReaders({ ...limits, free: 10 });
  const [large, small, other] = [readers.enter("a"), readers.enter("a"), readers.enter("b")];
  large.hold(100);
  small.hold(6);
  small.hold(4);
  other.hold(10);
  expect(() => small.hold(1)).toThrow(ownViolation);
  other.hold(40);
  expect(() => other.hold(1)).toThrow("not available");
  for (const reader of [large, small, other]) reader[Symbol.dispose]();
  readers.enter("a").hold(100);
  readers.enter("b").hold(50);
});

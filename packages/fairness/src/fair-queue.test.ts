import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

interface Item {
  ownerId: string;
  id: number;
}

const owner = fc.constantFrom<string>("a", "b", "c", "d");
const step = fc.oneof(
  fc.record({ add: owner, count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ take: fc.uniqueArray(owner, { maxLength: 2 }) }),
  fc.record({ remove: fc.nat(5) }),
);

test("for any history each owner keeps its order, refused owners are skipped, and nothing is lost", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = createFairQueue<Item>();
      const model: Item[] = [];
      for (const [id, each] of steps.entries()) {
        if ("add" in each) {
          for (let at = 0; at < each.count; at += 1) {
            const item = { ownerId: each.add, id: id + at / 10 };
            queue.add(each.add, item);
            model.push(item);
          }
        } else if ("take" in each) {
          const accepts = (_item: unknown, ownerId: string) => !each.take.includes(ownerId);
          const item = queue.take(accepts);
          if (item) {
            expect(accepts(item, item.ownerId)).toBe(true);
            expect(item).toBe(model.find(({ ownerId }) => ownerId === item.ownerId));
            model.splice(model.indexOf(item), 1);
          } else expect(model.filter((other) => accepts(other, other.ownerId))).toEqual([]);
        } else {
          const item = model[each.remove];
          if (!item) continue;
          // Removing again has no effect.
          for (let time = 0; time < 2; time += 1) queue.remove(item.ownerId, item);
          model.splice(each.remove, 1);
        }
        expect(queue.size).toBe(model.length);
        expect(new Set(queue)).toEqual(new Set(model));
      }
    }),
  );
});

test("for any arrivals an owner that waits is served again before any other is served a third time", () => {
  fc.assert(
    fc.property(fc.array(fc.uniqueArray(owner), { maxLength: 80 }), (arrivals) => {
      const queue = createFairQueue<Item>();
      for (let id = 0; id < arrivals.length; id += 1) queue.add("waiting", { ownerId: "waiting", id });
      let since: string[] = [];
      for (const [id, owners] of arrivals.entries()) {
        for (const ownerId of owners) queue.add(ownerId, { ownerId, id });
        const { ownerId } = queue.take()!;
        since = ownerId === "waiting" ? [] : [...since, ownerId];
        expect(since.filter((other) => other === ownerId).length).toBeLessThanOrEqual(2);
      }
    }),
  );
});

test("an owner that comes behind a burst of another is next", () => {
  const queue = createFairQueue<string>();
  for (const item of ["a1", "a2", "a3"]) queue.add("a", item);
  expect(queue.take()).toBe("a1");
  queue.add("b", "b1");
  queue.add("b", "b2");
  expect([1, 2, 3, 4].map(() => queue.take())).toEqual(["b1", "a2", "b2", "a3"]);
});

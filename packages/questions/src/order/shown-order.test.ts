import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ask, page } from "../../test/sample-survey.ts";
import { publicDefinition } from "../public/public-definition.ts";
import { shownDefinition, shownElements, shownItems } from "./shown-definition.ts";
import { largestOrderSeed, orderSeedOf, shownOrder } from "./shown-order.ts";
import { shownEntries } from "./shuffled-lists.ts";

const letters = ["a", "b", "c", "d", "e"];
const seeds = fc.integer({ min: 1, max: largestOrderSeed });
const free = () => false;

test("an order has every item once, pinned ones in their places, and is the same each time", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string()),
      fc.array(fc.boolean()),
      seeds,
      fc.string(),
      (items, pins, seed, subject) => {
        const isPinned = (item: string) => pins[items.indexOf(item)] ?? false;
        const shown = shownOrder(items, isPinned, seed, subject);
        expect(shown.toSorted()).toEqual(items.toSorted());
        expect(shown.filter(isPinned)).toEqual(items.filter(isPinned));
        for (const [index, item] of items.entries()) if (isPinned(item)) expect(shown[index]).toBe(item);
        expect(shownOrder(items, isPinned, seed, subject)).toEqual(shown);
      },
    ),
  );
});

test("the order of a seed never changes, since seeds are stored", () => {
  expect(shownOrder(letters, free, 1, "x").join("")).toBe("aedcb");
  expect(shownOrder(letters, free, largestOrderSeed, "1a2b3c4d5e6f7g8h choices").join("")).toBe("bcdae");
  expect(orderSeedOf("1a2b3c4d5e6f7g8h")).toBe(596291890);
});

test("orders of many seeds put every item equally often at every place", () => {
  const counts = new Map<string, number>();
  const people = 5_000;
  for (let person = 1; person <= people; person++) {
    for (const [place, item] of shownOrder(letters, free, orderSeedOf(`r${person}`), "x").entries()) {
      counts.set(`${item}${place}`, (counts.get(`${item}${place}`) ?? 0) + 1);
    }
  }
  expect(counts.size).toBe(25);
  for (const count of counts.values()) expect(Math.abs(count - people / 5)).toBeLessThan(150);
});

test("a definition shows lists that are shuffled, as exports know them; Other and other lists stay", () => {
  const choices = ["A", "B", "C", "D", "E", "F", { text: "G", pinned: true }];
  const one = ask("one", "multiple_choice", { choices, typeSettings: { shuffle: true, other: { enabled: true } } });
  const rest = ask("two", "matrix", { rows: choices, columns: letters, typeSettings: { shuffleRows: true } });
  const retired = { ...one, choices: one.choices!.map((choice, at) => ({ ...choice, retired: at === 2 })) };
  const definition = publicDefinition({ pages: [page("p1", [retired, rest])] });
  const [first, second] = shownDefinition(definition, 12).pages[0]!.elements;
  expect(first!.choices).not.toEqual(definition.pages[0]!.elements[0]!.choices);
  expect(first!.choices!.map(({ id }) => id)).toEqual(shownEntries("one", retired, "choices", 12).map(({ id }) => id));
  expect(first!.choices!.at(-1)!.text).toBe("G");
  expect(second!.rows!.map(({ id }) => id)).toEqual(shownEntries("two", rest, "rows", 12).map(({ id }) => id));
  expect(second!.columns).toEqual(definition.pages[0]!.elements[1]!.columns);
});

test("elements of a page and items of a loop are shuffled separately, and Other is last", () => {
  const asked = letters.map((name) => ask(name));
  const definition = publicDefinition({ pages: [page("p1", asked, { shuffle: true }), page("p2", asked)] });
  const [first, second] = shownDefinition(definition, 6).pages.map(({ elements }) => elements.map(({ id }) => id));
  expect(first).toEqual(shownElements("p1", letters, 6));
  expect([first!.toSorted(), second]).toEqual([letters, letters]);
  expect(first).not.toEqual(letters);
  const items = letters.map((id) => ({ id, pinned: id === "a" }));
  const shown = shownItems("p2", items, "e", 5).map(({ id }) => id);
  expect([shown[0], shown[4], shown.toSorted()]).toEqual(["a", "e", letters]);
});

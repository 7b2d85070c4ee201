import fc from "fast-check";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { chiSquareOf } from "./chi-square.ts";
import { chiSquareTail } from "./chi-square-tail.ts";

// Counts of the BFI data (2,800 people), and figures of SciPy 1.17.1: chi2_contingency(counts, correction=False).
const tables = [
  {
    of: "gender by education",
    counts: [
      [93, 103, 356, 134, 152],
      [131, 189, 893, 260, 266],
    ],
    value: 21.671778049622638,
    degreesOfFreedom: 4,
    p: 0.00023293463822559186,
    smallestExpected: 72.84128831975165,
  },
  {
    of: "A1 by gender",
    counts: [
      [202, 720],
      [284, 534],
      [160, 242],
      [139, 198],
      [99, 124],
      [34, 48],
    ],
    value: 86.95010122744463,
    degreesOfFreedom: 5,
    p: 293525358293191e-31,
    smallestExpected: 27.038793103448278,
  },
  {
    of: "education by A1",
    counts: [
      [59, 66, 39, 32, 16, 11],
      [72, 82, 51, 41, 26, 18],
      [417, 347, 183, 155, 105, 36],
      [144, 134, 48, 36, 26, 3],
      [181, 129, 42, 38, 21, 5],
    ],
    value: 76.28344890777579,
    degreesOfFreedom: 20,
    p: 1.6625042724514285e-8,
    smallestExpected: 6.351541162699961,
  },
  {
    of: "O4 by gender",
    counts: [
      [19, 36],
      [41, 84],
      [54, 100],
      [157, 324],
      [270, 617],
      [372, 712],
    ],
    value: 3.8148701601283492,
    degreesOfFreedom: 5,
    p: 0.5763661247782512,
    smallestExpected: 18.024048815506102,
  },
];

test.each(tables)(
  "chi-square equals the figures of SciPy: $of",
  ({ counts, value, degreesOfFreedom, p, smallestExpected }) => {
    const found = chiSquareOf(counts)!;
    expect(found.degreesOfFreedom).toBe(degreesOfFreedom);
    for (const [own, other] of [
      [found.value, value],
      [found.p, p],
      [found.smallestExpected, smallestExpected],
    ] as const) {
      expect(Math.abs(own / other - 1)).toBeLessThan(1e-9);
    }
    expect(found.expectedBelow5).toBe(0);
  },
);

// Of SciPy 1.17.1: chi2.sf(value, degreesOfFreedom).
test.each([
  [1, 3.841458820694124, 0.05],
  [1, 1e-6, 0.9992021155721779],
  [10, 250, 5.427833960969259e-48],
  [25, 1200, 1.7547566758093269e-237],
  [2500, 2400, 0.9227857729771832],
  [9801, 10000, 0.0782996141627698],
])("the tail of %i degrees of freedom from %d is %d", (degreesOfFreedom, value, tail) => {
  expect(Math.abs(chiSquareTail(degreesOfFreedom, value) / tail - 1)).toBeLessThan(1e-9);
});

test("the tail is a number from 0 to 1 that falls, however large and small the value", () => {
  const values = fc.tuple(fc.integer({ min: -12, max: 12 }), fc.double({ min: 1, max: 9.99, noNaN: true }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_801 }), values, (degreesOfFreedom, [power, digits]) => {
      const value = digits * 10 ** power;
      const tail = chiSquareTail(degreesOfFreedom, value);
      expect(tail).toBeGreaterThanOrEqual(0);
      expect(tail).toBeLessThanOrEqual(1);
      expect(chiSquareTail(degreesOfFreedom, value * 1.5)).toBeLessThanOrEqual(tail + 1e-12);
    }),
  );
});

test("the largest tables and the smallest p are numbers", () => {
  const diagonal = Array.from({ length: 50 }, (_, row) =>
    Array.from({ length: 50 }, (_, column) => (row === column ? 1e6 : 0)),
  );
  expect(chiSquareOf(diagonal)).toMatchObject({ degreesOfFreedom: 2401, p: 0 });
  expect(
    chiSquareOf([
      [10, 10],
      [10, 10],
    ]),
  ).toMatchObject({ value: 0, p: 1 });
});

test("rows and columns without counts do not count; one row is no table", () => {
  const counts = [
    [3, 0, 9],
    [0, 0, 0],
    [8, 0, 4],
  ];
  expect(chiSquareOf(counts)).toEqual(
    chiSquareOf([
      [3, 9],
      [8, 4],
    ]),
  );
  for (const none of [
    [[1, 2]],
    [[1], [2]],
    [],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [1, 2],
      [0, 0],
    ],
  ])
    expect(chiSquareOf(none)).toBeNull();
});

test("chi-square is not negative, the same when rows and columns change places, and in proportion to the effective size", () => {
  const counts = fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 2, max: 5 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(fc.nat(50), { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
    );
  fc.assert(
    fc.property(counts, (table) => {
      const found = chiSquareOf(table);
      const turned = table[0]!.map((_, column) => table.map((row) => row[column]!));
      if (!found) {
        expect(chiSquareOf(turned)).toBeNull();
        return;
      }
      expect(found.value).toBeGreaterThanOrEqual(0);
      expect(found.p).toBeGreaterThanOrEqual(0);
      expect(found.p).toBeLessThanOrEqual(1);
      expect(chiSquareOf(turned)!.value).toBeCloseTo(found.value, 6);
      const total = table.flat().reduce((sum, each) => sum + each, 0);
      expect(chiSquareOf(table, total / 2)!.value).toBeCloseTo(found.value / 2, 6);
    }),
  );
});

test("the tail can be computed right after loading, as for the first table of a thread", async () => {
  const address = JSON.stringify(new URL("./chi-square-tail.ts", import.meta.url));
  const program = `import(${address}).then(({ chiSquareTail }) =>
    require("node:worker_threads").parentPort.postMessage(chiSquareTail(2, 2 * Math.log(4))))`;
  const [tail] = (await once(new Worker(program, { eval: true }), "message")) as [number];
  expect(tail).toBeCloseTo(0.25, 12);
});

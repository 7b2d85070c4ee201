import fc from "fast-check";
import { expect, test } from "vitest";
import { effectiveSize } from "./effective-size.ts";
import { rake, type WeightingCell } from "./rake.ts";

const cellsOf = (table: readonly (readonly number[])[]): WeightingCell[] =>
  table.flatMap((row, a) => row.map((respondents, b) => ({ categories: [a, b], respondents })));

// The expected figures are from SciPy 1.17.1, by another method: BFGS on the dual problem, the least divergence from
// the counts among the tables with these margins.
test("weights of a worked example lead to the table that SciPy fits", () => {
  const table = [
    [40, 30, 20, 10],
    [35, 50, 100, 75],
    [30, 80, 70, 120],
    [20, 30, 40, 50],
  ];
  const { weights, converged } = rake(cellsOf(table), [
    [150, 300, 400, 150],
    [200, 300, 400, 100],
  ]);
  expect(converged).toBe(true);
  const total = table.flat().reduce((sum, each) => sum + each, 0);
  const fitted = [
    [64.55851, 46.23246, 35.384298, 3.824732],
    [49.967919, 68.159354, 156.498546, 25.37418],
    [56.721944, 144.428225, 145.082481, 53.76735],
    [28.751627, 41.179961, 63.034674, 17.033738],
  ];
  for (const [at, count] of table.flat().entries()) {
    expect((weights[at]! * count * 1000) / total).toBeCloseTo(fitted.flat()[at]!, 2);
  }
});

test("weights of the BFI data by gender and education equal those of SciPy", () => {
  const table = [
    [93, 103, 356, 134, 152],
    [131, 189, 893, 260, 266],
  ];
  const targets = [
    [49, 51],
    [10, 20, 40, 20, 10],
  ];
  const { weights, iterations } = rake(cellsOf(table), targets);
  const expected = [
    1.611540478, 2.583031523, 1.269293053, 1.931807975, 0.895222984, 0.82310486, 1.319300278, 0.648299745, 0.986683583,
    0.457241006,
  ];
  for (const [at, weight] of expected.entries()) expect(weights[at]).toBeCloseTo(weight, 4);
  expect(iterations).toBeLessThan(20);
  const groups = weights.map((weight, at) => ({ weight, respondents: table.flat()[at]! }));
  expect(effectiveSize(groups)).toBeCloseTo(2058.588272972843, 1);
});

test("respondents without a value keep the weight of their other variables", () => {
  const cells: WeightingCell[] = [
    { categories: [0, 0], respondents: 30 },
    { categories: [1, 0], respondents: 60 },
    { categories: [null, 0], respondents: 10 },
  ];
  const { weights, converged } = rake(cells, [[1, 1], [1]]);
  expect(converged).toBe(true);
  expect(weights.map((weight) => weight.toFixed(4))).toEqual(["1.5000", "0.7500", "1.0000"]);
});

test("a target that nobody has is shared by the others, and impossible targets are reported as not converged", () => {
  const some = rake(
    [
      { categories: [0], respondents: 3 },
      { categories: [1], respondents: 1 },
    ],
    [[1, 1, 8]],
  );
  expect(some).toMatchObject({ converged: true });
  expect(some.weights[0]! * 3).toBeCloseTo(2, 4);
  const impossible = rake(
    [
      { categories: [0, 0], respondents: 5 },
      { categories: [1, 1], respondents: 5 },
    ],
    [
      [1, 3],
      [3, 1],
    ],
  );
  expect(impossible).toMatchObject({ converged: false, iterations: 200 });
  expect(impossible.weights.every(Number.isFinite)).toBe(true);
  expect(rake([], [[1, 2]])).toMatchObject({ weights: [], converged: true });
  const extreme = [1e-15, 1e15];
  const farthest = rake(
    [
      { categories: [0, 0, 0, 0, 0], respondents: 1 },
      { categories: [1, 1, 1, 1, 1], respondents: 1_000_000 },
      { categories: [0, null, 1, null, null], respondents: 5 },
    ],
    [extreme, extreme.toReversed(), extreme, extreme.toReversed(), extreme],
  );
  expect([...farthest.weights, farthest.largestDifference].every(Number.isFinite)).toBe(true);
});

test("margins are reached, the mean is 1, and weights cost size", () => {
  const sizes = (length: number, max: number) =>
    fc.array(fc.integer({ min: 1, max }), { minLength: length, maxLength: length });
  const drawn = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })).chain(([a, b]) =>
    fc.record({
      counts: sizes(a * b, 40),
      first: sizes(a, 9),
      second: sizes(b, 9),
      a: fc.constant(a),
      b: fc.constant(b),
    }),
  );
  fc.assert(
    fc.property(drawn, ({ counts, first, second, b }) => {
      const cells = counts.map((respondents, at) => ({ categories: [Math.floor(at / b), at % b], respondents }));
      const { weights, converged } = rake(cells, [first, second]);
      expect(converged).toBe(true);
      const total = counts.reduce((sum, each) => sum + each, 0);
      const weighted = weights.reduce((sum, weight, at) => sum + weight * counts[at]!, 0);
      expect(weighted).toBeCloseTo(total, 6);
      for (const [variable, targets] of [first, second].entries()) {
        const sum = targets.reduce((all, each) => all + each, 0);
        for (const [category, target] of targets.entries()) {
          const share =
            cells.reduce(
              (all, cell, at) => (cell.categories[variable] === category ? all + weights[at]! * counts[at]! : all),
              0,
            ) / total;
          expect(Math.abs(share - target / sum)).toBeLessThan(1e-5);
        }
      }
      const size = effectiveSize(weights.map((weight, at) => ({ weight, respondents: counts[at]! })));
      expect(size).toBeLessThanOrEqual(total + 1e-6);
    }),
  );
});

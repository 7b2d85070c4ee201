import { isSameJson } from "@canvass/values";
import { visibleText } from "@canvass/inputs";
import { Type } from "typebox";
import type { Constraint } from "./definition.ts";

/** The field of a constraint that names its translations, so that these stay when another constraint goes. */
export const constraintNumber = {
  number: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 999_999,
      description: "identifies its translations; default: its position, from 0",
      "x-expected": "a whole number from 0 to 999999",
    }),
  ),
};

export const constraintMessage = visibleText(300, {
  description: "shown to respondents if the condition does not hold",
});

/** The number of the constraint at a position of its list. */
export const numberOf = ({ number }: Constraint, at: number): number => number ?? at;

export function withoutNumber(given: Constraint): Constraint {
  const { number: _, ...constraint } = given;
  return constraint;
}

const likenesses: ((one: Constraint, other: Constraint) => boolean)[] = [
  (one, other) => one.message === other.message && isSameJson(one.must, other.must),
  (one, other) => one.message === other.message,
  (one, other) => isSameJson(one.must, other.must),
];

/**
 * Returns constraints with the numbers of the former ones that they continue: those with their message, else with their
 * condition. Others get numbers that no former one has. A given number stays. One that is its position is left out.
 */
export function numberConstraints(given: readonly Constraint[], former: readonly Constraint[] = []): Constraint[] {
  const numbers = given.map(({ number }) => number);
  const used = new Set(former.map(numberOf));
  const continued = new Map(former.map((constraint, at) => [numberOf(constraint, at), constraint]));
  for (const number of numbers) if (number !== undefined) continued.delete(number);
  for (const isLike of likenesses) {
    for (const [at, constraint] of given.entries()) {
      const [like] = [...continued].find(([, each]) => numbers[at] === undefined && isLike(each, constraint)) ?? [];
      if (like === undefined) continue;
      numbers[at] = like;
      continued.delete(like);
    }
  }
  for (const number of numbers) if (number !== undefined) used.add(number);
  let free = 0;
  return given.map((each, at) => {
    const constraint = withoutNumber(each);
    while (numbers[at] === undefined && used.has(free)) free += 1;
    const number = numbers[at] ?? free;
    used.add(number);
    return number === at ? constraint : { ...constraint, number };
  });
}

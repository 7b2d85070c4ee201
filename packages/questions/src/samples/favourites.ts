import { withoutRetired } from "../choice-list.ts";
import type { Question } from "../definition.ts";
import { perQuestion } from "../type-settings.ts";
import type { Random } from "./random.ts";

type Entry = { id: string; retired: boolean };

/** Ids of the current choices, most popular first. The order depends on the questionId. */
export const popularChoices = perQuestion((question) => popularFirst(question, question.choices));

function popularFirst({ questionId }: Question, list: readonly Entry[] | undefined): readonly string[] {
  const ids = withoutRetired(list).map(({ id }) => id);
  let shift = 0;
  for (const letter of questionId) shift = (shift * 31 + letter.codePointAt(0)!) % Math.max(1, ids.length);
  return [...ids.slice(shift), ...ids.slice(0, shift)];
}

export function favourite<T>(popular: readonly T[], random: Random): T | undefined {
  return popular[Math.floor(popular.length * random() ** 2)];
}

export function favourites<T>(popular: readonly T[], count: number, random: Random): T[] {
  const left = [...popular];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [taken] = left.splice(Math.floor(left.length * random() ** 2), 1);
    return taken as T;
  });
}

/** Returns a number from `least` to `most`, at most four above `least`, smaller ones more often. */
export function fewOf(least: number, most: number, random: Random): number {
  return least + Math.floor(random() ** 2 * (Math.min(most, least + 4) - least + 1));
}

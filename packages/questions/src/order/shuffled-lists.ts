import { shownOrder } from "./shown-order.ts";

/** The type setting that shuffles a list. */
export const shuffleSettings = { choices: "shuffle", rows: "shuffleRows", columns: "shuffleColumns" } as const;
export type ShuffledList = keyof typeof shuffleSettings;
const lists = Object.keys(shuffleSettings) as readonly ShuffledList[];

type Entry = { id: string; pinned?: boolean; retired?: boolean };
type Lists = { [List in ShuffledList]?: readonly Entry[] };

/** Names the lists of a question that are shuffled. */
export function shuffledLists(settings: Readonly<Record<string, unknown>>): ShuffledList[] {
  return lists.filter((list) => settings[shuffleSettings[list]] === true);
}

/** Returns the entries of a list that can be chosen, in the order that a respondent sees. */
export function shownEntries<List extends ShuffledList, All extends Lists>(
  elementId: string,
  all: All,
  list: List,
  seed: number,
): NonNullable<All[List]>[number][] {
  const kept = (all[list] ?? []).filter(({ retired }) => !retired);
  return shownOrder(kept, ({ pinned }) => pinned === true, seed, `${elementId} ${list}`);
}

import type { Static, TObject } from "typebox";
import { questionTypeOf } from "./catalogue.ts";
import type { Question } from "./definition.ts";
import { listNames } from "./list-names.ts";
import { withDefaults } from "./type-settings.ts";

/** Merges versions, oldest first: the newest, with entries of older ones as retired. For exports and results. */
export function mergeVersions(versions: readonly [Question, ...Question[]]): Question {
  return versions.reduce((older, newer) => mergeTwo(older, newer));
}

function mergeTwo(older: Question, newer: Question): Question {
  const merged: Question = { ...newer, typeSettings: mergedSettings(older, newer) };
  for (const name of listNames) {
    const lists = { older: older[name] as Entry[] | undefined, newer: newer[name] as Entry[] | undefined };
    if (lists.older || lists.newer) merged[name] = mergeLists(lists.older ?? [], lists.newer ?? []) as never;
  }
  return merged;
}

function mergedSettings(older: Question, newer: Question): Record<string, unknown> {
  const type = questionTypeOf(newer);
  const complete = (question: Question) => withDefaults(type.settings, question.typeSettings) as Static<TObject>;
  return type.mergeSettings?.(complete(older), complete(newer)) ?? newer.typeSettings;
}

type Entry = { id: string; retired: boolean; freeText?: boolean; options?: Entry[] };

function mergeLists(older: readonly Entry[], newer: readonly Entry[]): Entry[] {
  const oldById = new Map(older.map((entry) => [entry.id, entry]));
  const kept = newer.map((entry) => {
    const { options, freeText } = oldById.get(entry.id) ?? {};
    oldById.delete(entry.id);
    return {
      ...entry,
      // Older answers have its text.
      ...(freeText && { freeText }),
      ...(options && entry.options && { options: mergeLists(options, entry.options) }),
    };
  });
  return [...kept, ...[...oldById.values()].map((entry) => ({ ...entry, retired: true }))];
}

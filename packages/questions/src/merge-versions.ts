import type { Static, TObject } from "typebox";
import { questionTypeOf } from "./catalogue.ts";
import { choicesAndOther, otherOf } from "./chosen-choices.ts";
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
    const lists = { older: entriesOf(older, newer, name), newer: newer[name] as Entry[] | undefined };
    if (lists.older || lists.newer) merged[name] = mergeLists(lists.older ?? [], lists.newer ?? []) as never;
  }
  return merged;
}

function mergedSettings(older: Question, newer: Question): Record<string, unknown> {
  const type = questionTypeOf(newer);
  const complete = (question: Question) => withDefaults(type.settings, question.typeSettings) as Static<TObject>;
  return type.mergeSettings?.(complete(older), complete(newer)) ?? newer.typeSettings;
}

type Entry = { id: string; retired: boolean; freeText?: boolean; format?: string; options?: Entry[] };

/** Returns a list of the older version. Its Other is one of the choices if the newer version has another one or none. */
function entriesOf(older: Question, newer: Question, name: (typeof listNames)[number]): Entry[] | undefined {
  if (name !== "choices" || !older.choices) return older[name];
  return choicesAndOther(older).filter(({ id }) => id !== otherOf(newer)?.choiceId);
}

function mergeLists(older: readonly Entry[], newer: readonly Entry[]): Entry[] {
  const oldById = new Map(older.map((entry) => [entry.id, entry]));
  const kept = newer.map((entry) => {
    const old = oldById.get(entry.id) ?? entry;
    const { options, freeText } = old;
    oldById.delete(entry.id);
    const { format, ...asText } = entry;
    return {
      ...(old.format === format ? entry : asText),
      // Older answers have its text.
      ...(freeText && { freeText }),
      ...(options && entry.options && { options: mergeLists(options, entry.options) }),
    };
  });
  return [...kept, ...[...oldById.values()].map((entry) => ({ ...entry, retired: true }))];
}

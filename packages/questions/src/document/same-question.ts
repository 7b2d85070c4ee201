import { isSameJson } from "@canvass/values";
import type { Choice, Column, Question } from "../definition.ts";
import { questionTypeOf } from "../catalogue.ts";
import { listNames } from "../list-names.ts";
import { withDefaults } from "../type-settings.ts";

/** Whether two questions mean the same. A setting that is newer than the question has its default. */
export function sameQuestion(one: Question, other: Question): boolean {
  return isSameJson(plain(one), plain(other));
}

function plain(question: Question): object {
  const typeSettings = withDefaults(questionTypeOf(question).settings, question.typeSettings);
  const lists = listNames.flatMap((name) => (question[name] ? [[name, plainList(question[name])] as const] : []));
  return { ...question, typeSettings, ...Object.fromEntries(lists) };
}

type Entry = Choice & Partial<Column>;

/** Where retired entries stand means nothing. */
function plainList(list: readonly Entry[]): object {
  const plainEntry = ({ imageUrl = null, options, ...entry }: Entry) => ({
    ...entry,
    imageUrl,
    ...(options && { options: plainList(options) }),
  });
  return {
    kept: list.filter(({ retired }) => !retired).map(plainEntry),
    retired: Object.fromEntries(list.filter(({ retired }) => retired).map((entry) => [entry.id, plainEntry(entry)])),
  };
}

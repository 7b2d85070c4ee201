import { conditionalLists } from "../conditional-entries.ts";
import type { Question } from "../definition.ts";

/** Returns the question with some choices and rows retired. */
export function retireEntries(question: Question, entryIds: ReadonlySet<string>): Question {
  const lists = conditionalLists.flatMap((list) => {
    const entries = question[list]?.map((entry) => (entryIds.has(entry.id) ? { ...entry, retired: true } : entry));
    return entries ? [[list, entries] as const] : [];
  });
  return { ...question, ...(Object.fromEntries(lists) as Pick<Question, "choices" | "rows">) };
}

import type { Sql } from "@canvass/postgres";
import { growCodeLists } from "../../domain/exports/code-lists.ts";
import type { MergedQuestion } from "../../domain/exports/merged-questions.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { lockCodes, saveCodes, type StoredCodes } from "../../storage/exports/code-lists.ts";

/** Adds new entries to the survey's stored code lists, which it locks, and returns the questions with these lists. */
export async function settleCodes(
  sql: Sql,
  survey: SurveyRef,
  questions: readonly MergedQuestion[],
): Promise<MergedQuestion[]> {
  const known = new Map((await lockCodes(sql, survey)).map((each) => [keyOf(each), each.lists]));
  const grown: StoredCodes[] = [];
  const settled = questions.map((merged) => {
    const { questionId, type } = merged.question;
    const before = known.get(keyOf({ questionId, type })) ?? [];
    const lists = growCodeLists(before, merged.codes);
    if (JSON.stringify(lists) !== JSON.stringify(before)) grown.push({ questionId, type, lists });
    return { ...merged, codes: lists };
  });
  await saveCodes(sql, survey, grown);
  return settled;
}

const keyOf = ({ questionId, type }: Pick<StoredCodes, "questionId" | "type">) => `${questionId} ${type}`;

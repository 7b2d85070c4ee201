import { isSameJson } from "@canvass/values";
import type { SurveyDefinition } from "./definition.ts";

/** Lists of a definition besides its pages. An absent list is empty. */
export const surveyLists = ["fields", "quotas"] as const;
export type SurveyListName = (typeof surveyLists)[number];
export type SurveyLists = Pick<SurveyDefinition, SurveyListName>;

/** Leaves empty lists out, so that a version from before a list is equal to one without entries. */
export function listsOf(lists: SurveyLists): SurveyLists {
  const given = surveyLists.filter((name) => (lists[name] ?? []).length > 0);
  return Object.fromEntries(given.map((name) => [name, lists[name]]));
}

export const sameLists = (one: SurveyLists, other: SurveyLists): boolean => isSameJson(listsOf(one), listsOf(other));

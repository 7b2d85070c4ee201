import { surveyOrders } from "@canvass/inputs";

/** The order of a list of surveys; equals follow by their id. */
export interface SurveyOrder {
  by: (typeof surveyOrders)[number];
  descending: boolean;
}

/** Reads a `sort` of the query of surveys; newest first for anything else. */
export function readSurveyOrder(sort: string): SurveyOrder {
  const descending = sort.startsWith("-");
  const by = surveyOrders.find((field) => field === (descending ? sort.slice(1) : sort));
  return by ? { by, descending } : { by: "createdAt", descending: true };
}

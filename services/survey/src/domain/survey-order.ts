import { surveyOrders } from "@canvass/inputs";

/** The order of a list of surveys; ties are ordered by id. */
export interface SurveyOrder {
  by: (typeof surveyOrders)[number];
  descending: boolean;
}

export function readSurveyOrder(sort: string): SurveyOrder {
  const descending = sort.startsWith("-");
  const by = surveyOrders.find((field) => field === (descending ? sort.slice(1) : sort));
  return by ? { by, descending } : { by: "createdAt", descending: true };
}

/** The order of a list of surveys; equals follow by their id. */
export interface SurveyOrder {
  by: "createdAt" | "updatedAt" | "name";
  descending: boolean;
}

const fields: readonly SurveyOrder["by"][] = ["createdAt", "updatedAt", "name"];

/** Every value `sort` takes: a field, or one with a minus before it for descending order. */
export const sortValues: readonly string[] = fields.flatMap((by) => [by, `-${by}`]);

/** Reads `sort`; empty: newest first. Undefined for anything else. */
export function readSurveyOrder(sort: string): SurveyOrder | undefined {
  if (sort === "") return { by: "createdAt", descending: true };
  const descending = sort.startsWith("-");
  const by = fields.find((field) => field === (descending ? sort.slice(1) : sort));
  return by && { by, descending };
}

import type { FieldValue } from "./fields/hidden-field.ts";

/** Properties of a respondent besides its answers. */
export interface RespondentContext {
  /** Values of hidden fields by name (contract 6.18). */
  fields: Readonly<Record<string, FieldValue>>;
  /** Language tag in which it reads the survey. Empty if unknown. */
  language: string;
}

export const noContext: RespondentContext = { fields: {}, language: "" };

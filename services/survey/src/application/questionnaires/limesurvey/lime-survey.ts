import type { Asked } from "../asked.ts";
import type { Questionnaire } from "../questionnaire.ts";
import type { Localized } from "./tables.ts";

/** What the questions of a file are read with. Rows are by the id of their parent. */
export interface LimeSurvey {
  questionnaire: Questionnaire;
  /** The survey's own language, as the file calls it. */
  own: string;
  /** Tags of the others, by what the file calls them. */
  languages: ReadonlyMap<string, string>;
  questions: ReadonlyMap<string, Localized[]>;
  subquestions: ReadonlyMap<string, Localized[]>;
  answers: ReadonlyMap<string, Localized[]>;
  attributes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  asked: Map<string, Asked>;
}

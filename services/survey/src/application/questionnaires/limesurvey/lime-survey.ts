import type { Asked } from "../asked.ts";
import type { Questionnaire } from "../questionnaire.ts";
import type { Localized } from "./tables.ts";

/** Context for reading the questions of a file. Rows are indexed by the id of their parent. */
export interface LimeSurvey {
  questionnaire: Questionnaire;
  /** The survey's own language, as the file calls it. */
  own: string;
  /** Tags of the other languages, by their names in the file. */
  languages: ReadonlyMap<string, string>;
  questions: ReadonlyMap<string, Localized[]>;
  subquestions: ReadonlyMap<string, Localized[]>;
  answers: ReadonlyMap<string, Localized[]>;
  attributes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  asked: Map<string, Asked>;
}

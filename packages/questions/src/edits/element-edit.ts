import type { TSchema } from "typebox";
import type { Question } from "../definition.ts";
import type { ElementSettingsResult } from "../element-settings.ts";
import type { ListContext } from "../list-input.ts";
import type { QuestionType } from "../question-type.ts";

/** One way to edit an element: a row of the table in element-edits.ts. */
export interface ElementEdit {
  /** What it is for, to go into a sentence: "is no question with choices". */
  readonly takes: string;
  readonly fits: (type: QuestionType) => boolean;
  /** Shape of the input; `apply` gets only what has it. */
  readonly input: TSchema;
  apply(question: Question, input: never, context: ListContext): EditResult;
}

/** `missing`: the input names a choice by path that the question does not have, or no longer. */
export type EditResult = ElementSettingsResult | { missing: "choice" };

import type { TSchema } from "typebox";
import type { Question } from "../definition.ts";
import type { ElementSettingsResult } from "../element-settings.ts";
import type { ListContext } from "../list-input.ts";
import type { QuestionType } from "../question-type.ts";

export interface ElementEdit {
  /** Completes the message "is not ...", for example "a question with choices". */
  readonly takes: string;
  readonly fits: (type: QuestionType) => boolean;
  readonly input: TSchema;
  apply(question: Question, input: never, context: ListContext): EditResult;
}

/** `missing`: the choice that the URL of the request names does not exist or is retired. */
export type EditResult = ElementSettingsResult | { missing: "choice" };

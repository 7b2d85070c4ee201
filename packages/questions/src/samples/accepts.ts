import type { Question } from "../definition.ts";
import type { QuestionType } from "../question-type.ts";

export function accepts({ checkValue }: Pick<QuestionType, "checkValue">, question: Question) {
  return (value: unknown): boolean => value !== null && checkValue(question, value).length === 0;
}

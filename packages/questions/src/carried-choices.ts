import { choicesAndOther, otherOf } from "./chosen-choices.ts";
import type { ChoicesFrom } from "./choices-from.ts";
import type { Choice, Question } from "./definition.ts";
import type { QuestionType } from "./question-type.ts";

/**
 * Returns the choices that a question of that type can carry from another, with the same ids, texts and codes. Exclusive
 * ones ("none of these") are left out. None takes a text again: respondents type it at the source.
 */
export function carriedChoices(source: Question, { lists }: QuestionType): Choice[] {
  const hasImages = lists.choices?.images === true;
  const taken = choicesAndOther(source).filter(({ exclusive }) => !exclusive);
  return taken.map(({ id, text, code, pinned, imageUrl = null, retired }) => ({
    id,
    text,
    ...(code !== undefined && { code }),
    ...(pinned && { pinned }),
    ...(hasImages && { imageUrl }),
    retired,
  }));
}

/** The id of the source's Other, by the list of choices that carries it. */
const others = new WeakMap<readonly Choice[], string>();

/** Returns the id of the carried choice that is Other at the source. */
export const carriedOther = ({ choices }: Question): string | undefined => choices && others.get(choices);

/** Returns a question with the choices that it carries. `find` returns the source, an earlier question. */
export function withCarried(
  question: Question,
  type: QuestionType,
  find: (from: ChoicesFrom) => Question | undefined,
): Question {
  const { choicesFrom } = question.logic ?? {};
  if (!choicesFrom || !type.lists.choices) return question;
  const source = find(choicesFrom);
  const choices = source ? carriedChoices(source, type) : [];
  const other = source && (carriedOther(source) ?? otherOf(source)?.choiceId);
  if (other) others.set(choices, other);
  return { ...question, choices };
}

import { answerKey } from "../answer-key.ts";
import { questionTypeOf } from "../catalogue.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import type { PageVisit } from "../definition-index.ts";
import { reachablePages } from "../logic.ts";
import type { Random } from "./random.ts";

/** What one respondent answers. */
export type SampleRespondent = {
  /** By answer key, in the order they were given. */
  answers: ReadonlyMap<string, unknown>;
  /** The page of the last answers: `pageId`, or `pageId:itemId` on one that repeats. Null for a survey without pages. */
  pageId: string | null;
  /** False when the respondent left before the end. */
  completes: boolean;
};

/** The part of the respondents who leave early, and of the optional questions that stay empty. */
const leaving = 0.12;
const skipping = 0.15;

/**
 * Answers a survey as somebody might, along the way that the answers open. Whoever meets a required question for which
 * no sample is found leaves there.
 */
export function sampleRespondent(definition: SurveyDefinition, random: Random): SampleRespondent {
  const answers = new Map<string, unknown>();
  // How much of the way is gone before the respondent leaves.
  const patience = random() < leaving ? random() : 1;
  let pageId: string | null = null;
  for (let gone = 0; ; gone++) {
    // Earlier visits stay: the way only leads forward.
    const visits = reachablePages(definition, answers);
    const visit = visits[gone];
    if (!visit) return { answers, pageId, completes: true };
    if (gone > 0 && gone >= patience * visits.length) return { answers, pageId, completes: false };
    pageId = answerKey(visit.page.pageId, visit.itemId);
    const left = patience < 1 && visits.length === 1 ? Math.floor(patience * visit.page.elements.length) : Infinity;
    if (!answerPage(visit, left, answers, random)) return { answers, pageId, completes: false };
  }
}

/** Answers up to `most` questions of a page; false when the respondent leaves on it. */
function answerPage({ page, itemId }: PageVisit, most: number, answers: Map<string, unknown>, random: Random): boolean {
  for (const [index, question] of page.elements.entries()) {
    if (index >= most) return false;
    const value = sampleAnswer(question, random);
    if (value !== undefined) answers.set(answerKey(question.elementId, itemId), value);
    else if (isRequired(question)) return false;
  }
  return true;
}

function sampleAnswer(question: Question, random: Random): unknown {
  if (!isRequired(question) && random() < skipping) return undefined;
  return questionTypeOf(question).sample(question, random);
}

function isRequired(question: Question): boolean {
  return questionTypeOf(question).answerable && question.responseValidation.required;
}

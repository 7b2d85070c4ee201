import { answerKey } from "../answer-key.ts";
import { questionTypeOf } from "../catalogue.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import type { PageVisit } from "../definition-index.ts";
import { reachablePages } from "../logic.ts";
import type { Random } from "./random.ts";

export type SampleRespondent = {
  answers: ReadonlyMap<string, unknown>;
  /** The last answered page: `pageId`, or `pageId:itemId` if it repeats. Null for a survey without pages. */
  pageId: string | null;
  completes: boolean;
};

/** Shares of respondents who leave early, and of optional questions left empty. */
const leaving = 0.12;
const skipping = 0.15;

/** Answers a survey along the path that its answers open. Leaves at a required question without a sample. */
export function sampleRespondent(definition: SurveyDefinition, random: Random): SampleRespondent {
  const answers = new Map<string, unknown>();
  const patience = random() < leaving ? random() : 1;
  let pageId: string | null = null;
  for (let gone = 0; ; gone++) {
    // The walk only goes forward, so earlier visits do not change.
    const visits = reachablePages(definition, answers);
    const visit = visits[gone];
    if (!visit) return { answers, pageId, completes: true };
    if (gone > 0 && gone >= patience * visits.length) return { answers, pageId, completes: false };
    pageId = answerKey(visit.page.pageId, visit.itemId);
    const left = patience < 1 && visits.length === 1 ? Math.floor(patience * visit.page.elements.length) : Infinity;
    if (!answerPage(visit, left, answers, random)) return { answers, pageId, completes: false };
  }
}

/** Returns false if the respondent leaves on this page. */
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

import { answerKey } from "../answer-key.ts";
import { questionTypeOf } from "../catalogue.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { findElement, indexOf, type PageVisit } from "../definition-index.ts";
import {
  brokenConstraints,
  dependsOnAnswers,
  hiddenEntriesLookup,
  isReachable,
  reachablePages,
  requiredKeys,
} from "../logic.ts";
import { noContext, type RespondentContext } from "../respondent-context.ts";
import { retireEntries } from "./retire-entries.ts";
import type { Random } from "./random.ts";

export type SampleRespondent = {
  answers: ReadonlyMap<string, unknown>;
  /** The last answered page: `pageId`, or `pageId:itemId` if it repeats. Null for a survey without pages. */
  pageId: string | null;
  completes: boolean;
  /** The question at which it left because no sample is valid there; null for any other end. */
  stuckAt: string | null;
};

/** Shares of respondents who leave early, and of optional questions left empty. */
const leaving = 0.12;
const skipping = 0.15;

/** Samples of an answer until one meets the question's constraints. */
const attempts = 50;

/** Samples whole respondents, because a constraint that no sample fulfils may depend on an earlier answer. */
const rounds = 5;

/**
 * Answers a survey along the path that its answers, and what else is known of the respondent, open. Leaves at a
 * question where no sample is valid.
 */
export function sampleRespondent(
  definition: SurveyDefinition,
  random: Random,
  context: RespondentContext = noContext,
): SampleRespondent {
  for (let round = 1; ; round++) {
    const respondent = sampleOnce(definition, random, context);
    const stuck = respondent.stuckAt === null ? undefined : findElement(definition, respondent.stuckAt);
    if (round === rounds || !stuck?.question.logic?.constraints) return respondent;
  }
}

function sampleOnce(definition: SurveyDefinition, random: Random, context: RespondentContext): SampleRespondent {
  const answers = Object.assign(new Map<string, unknown>(), { context });
  const patience = random() < leaving ? random() : 1;
  const answerPage = pageAnswerer(definition, answers, random);
  let pageId: string | null = null;
  for (let gone = 0; ; gone++) {
    // The walk only goes forward, so earlier visits do not change.
    const visits = reachablePages(definition, answers);
    const visit = visits[gone];
    if (!visit) return { answers, pageId, completes: true, stuckAt: null };
    if (gone > 0 && gone >= patience * visits.length) return { answers, pageId, completes: false, stuckAt: null };
    pageId = answerKey(visit.page.pageId, visit.itemId);
    const left = patience < 1 && visits.length === 1 ? Math.floor(patience * visit.page.elements.length) : Infinity;
    const end = answerPage(visit, left);
    if (end) return { answers, pageId, completes: false, ...end };
  }
}

function pageAnswerer(definition: SurveyDefinition, answers: Map<string, unknown>, random: Random) {
  const isJudged = dependsOnAnswers(definition);

  function isShown({ logic }: Question, key: string): boolean {
    return (!logic?.showIf && !logic?.entries && !logic?.choicesFrom) || isReachable(definition, answers, key);
  }

  /** Samples pick from entries that are not retired. */
  function withShownEntries(question: Question, key: string): Question {
    const { entries, choicesFrom } = question.logic ?? {};
    const hidden = entries || choicesFrom ? hiddenEntriesLookup(definition, answers)(key) : undefined;
    return hidden ? retireEntries(question, hidden) : question;
  }

  function isRequired(question: Question, key: string): boolean {
    if (!questionTypeOf(question).answerable) return false;
    return (
      question.responseValidation.required ||
      (question.logic?.requiredIf !== undefined && requiredKeys(definition, answers).has(key))
    );
  }

  function isAccepted({ logic }: Question, key: string): boolean {
    return (
      !isJudged ||
      !logic?.constraints ||
      [...brokenConstraints(definition, answers)].every((broken) => broken.key !== key)
    );
  }

  /** Returns false if no answer is possible. */
  function answer(question: Question, key: string): boolean {
    const mustAnswer = isRequired(question, key);
    const isLeftOut = !mustAnswer && random() < skipping;
    const shown = withShownEntries(question, key);
    for (let attempt = isLeftOut ? attempts : 0; attempt < attempts; attempt++) {
      const value = questionTypeOf(question).sample(shown, random);
      if (value === undefined) break;
      answers.set(key, value);
      if (isAccepted(question, key)) return true;
    }
    answers.delete(key);
    return !mustAnswer && isAccepted(question, key);
  }

  /** Undefined unless the respondent leaves on this page. */
  return ({ page, itemId }: PageVisit, most: number): Pick<SampleRespondent, "stuckAt"> | undefined => {
    const { pageIndexes, placed } = indexOf(definition);
    for (const [index, { question }] of placed[pageIndexes.get(page.pageId)!]!.entries()) {
      if (index >= most) return { stuckAt: null };
      const key = answerKey(question.elementId, itemId);
      if (isShown(question, key) && !answer(question, key)) return { stuckAt: question.elementId };
    }
    return undefined;
  };
}

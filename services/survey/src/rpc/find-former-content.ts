import { elementIdInKey, type Answered, type Question, type SurveyDefinition } from "@canvass/questions";
import { isId, type JsonObject } from "@canvass/values";
import type { SurveyContext } from "../context.ts";
import { elementKeysOf } from "../domain/read-survey-document.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findIdsOfKeys } from "../storage/document-keys.ts";
import { findSurveys } from "../storage/find-surveys.ts";
import { findDraftQuestionIds, findRetiredQuestions } from "../storage/retire-elements.ts";
import { countAnswersByQuestion, questionIdsOf } from "./draft-changes.ts";
import { readPublishedDefinition } from "./draft-snapshot.ts";
import type { Hold } from "./hold-answers.ts";

export interface FormerContent {
  /** The survey's revision when this was read. */
  revision: number;
  /** The published version and retired elements, which the document may restore. */
  published: SurveyDefinition;
  retired: Question[];
  hasResponses: boolean;
  /** Answers to questions of the published version and `retired`, and of the draft if the survey was published. */
  answered: Answered;
  /** Returns the ids of a draft's questions that have answers, or whose answers were not counted. */
  answeredOf: (draft: SurveyDefinition) => string[];
  /** Returns a test of whether an entry has answers; true for all if a question of `draft` was not counted. */
  entryTestFor: (draft: SurveyDefinition) => (entryId: string) => boolean;
}

/**
 * Asks the response service which questions and entries have answers. May be slow: call it before taking locks.
 * Undefined if there is no survey.
 */
export async function findFormerContent(
  context: SurveyContext,
  ref: SurveyRef,
  document: JsonObject,
  hold?: Hold,
): Promise<FormerContent | undefined> {
  const { sql } = context.database;
  const [survey] = isId(ref.surveyId) ? await findSurveys(sql, [ref]) : [];
  if (!survey) return undefined;
  const keys = elementKeysOf(document);
  const ids = [...keys.flatMap((key) => elementIdInKey(key) ?? []), ...(await findIdsOfKeys(sql, ref, keys))];
  const retired = await findRetiredQuestions(sql, ref, ids);
  const published = (await readPublishedDefinition(context, survey)) ?? { pages: [] };
  const present = survey.publishedVersion > 0 ? await findDraftQuestionIds(sql, ref) : [];
  const counted = new Set([...present, ...questionIdsOf(published), ...retired.map(({ questionId }) => questionId)]);
  const [answered, { hasResponses }] = await Promise.all([
    countAnswersByQuestion(context, ref, [...counted]),
    context.responses.hasResponses(ref),
  ]);
  const entries = new Set([...answered.values()].flatMap(({ byKey }) => [...byKey.keys()]));
  // Nothing counted the answers of a question that was added since.
  const isUncounted = (questionId: string) => survey.publishedVersion > 0 && !counted.has(questionId);
  return {
    revision: survey.revision,
    published,
    retired,
    hasResponses: hasResponses || hold?.hasResponses === true,
    answered,
    answeredOf: (draft) => questionIdsOf(draft).filter((id) => answered.has(id) || isUncounted(id)),
    entryTestFor: (draft) => {
      const isUnsure = questionIdsOf(draft).some(isUncounted);
      return (id) => isUnsure || entries.has(id);
    },
  };
}

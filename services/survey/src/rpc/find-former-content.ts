import { elementIdInKey, type Question, type SurveyDefinition } from "@canvass/questions";
import { isId, type JsonObject } from "@canvass/values";
import type { SurveyContext } from "../context.ts";
import { elementKeysOf } from "../domain/read-survey-document.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findIdsOfKeys } from "../storage/document-keys.ts";
import { findSurveys } from "../storage/find-surveys.ts";
import { findDraftQuestionIds, findRetiredQuestions } from "../storage/retire-elements.ts";
import { countFormerAnswers, noAnswers, type CountedAnswers } from "./counted-answers.ts";
import { questionIdsOf } from "./draft-changes.ts";
import { readPublishedDefinition } from "./draft-snapshot.ts";
import type { Hold } from "./hold-answers.ts";

/** Answers are those to questions of the published version, of `retired` and of the draft. */
export interface FormerContent extends CountedAnswers {
  /** The survey's revision when this was read. */
  revision: number;
  /** The published version and retired elements, which the document may restore. */
  published: SurveyDefinition;
  retired: Question[];
  hasResponses: boolean;
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
  const ofRetired = retired.map(({ questionId }) => questionId);
  const counted = [...(await findDraftQuestionIds(sql, ref)), ...questionIdsOf(published), ...ofRetired];
  const [answers, { hasResponses }] = await Promise.all([
    survey.publishedVersion > 0 ? countFormerAnswers(context, ref, counted) : noAnswers,
    context.responses.hasResponses(ref),
  ]);
  return {
    ...answers,
    revision: survey.revision,
    published,
    retired,
    hasResponses: hasResponses || hold?.hasResponses === true,
  };
}

import { runInSlices } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import {
  changeClasses,
  comparingDefinitions,
  dropEmptyPages,
  type Answered,
  type Change,
  type ChangeClass,
  type FormerQuestions,
  type SurveyDefinition,
} from "@canvass/questions";
import { hash } from "node:crypto";
import type { SurveyContext } from "../context.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findFormerQuestions } from "../storage/former-questions.ts";

/**
 * Asks the response service for the answer counts of questions; omits questions without answers. Do not call it in a
 * transaction.
 */
export async function countAnswersByQuestion(
  { responses }: SurveyContext,
  { workspaceId, surveyId }: SurveyRef,
  questionIds: string[],
): Promise<Answered> {
  if (questionIds.length === 0) return new Map();
  const { surveys } = await responses.batchCountAnswers({ surveys: [{ workspaceId, surveyId, questionIds }] });
  const counted = surveys[0]?.questions ?? [];
  return new Map(
    counted.map((question) => {
      const byKey = new Map(Object.entries(question.entries).map(([id, count]) => [id, Number(count)]));
      return [question.questionId, { responses: Number(question.responses), byKey }];
    }),
  );
}

export function questionIdsOf({ pages }: SurveyDefinition): string[] {
  return pages.flatMap(({ elements }) => elements.map(({ questionId }) => questionId));
}

/** Returns the ids of the questions of either definition. */
export function questionIdsOfBoth(base: SurveyDefinition, draft: SurveyDefinition): string[] {
  return [...new Set([...questionIdsOf(base), ...questionIdsOf(draft)])];
}

/** Finds the draft's questions that the published version `base` lacks and an older version has. */
export async function readFormerQuestions(
  sql: Sql,
  ref: SurveyRef,
  base: SurveyDefinition | undefined,
  draft: SurveyDefinition,
): Promise<FormerQuestions> {
  if (!base) return new Map();
  const published = new Set(questionIdsOf(base));
  const elements = draft.pages.flatMap((page) => page.elements);
  const added = elements.filter(({ questionId }) => !published.has(questionId));
  const former = await findFormerQuestions(
    sql,
    ref,
    added.map(({ elementId }) => elementId),
  );
  return new Map(former.map((question) => [question.questionId, question]));
}

const nothing: SurveyDefinition = { pages: [] };

/** Ignores empty pages: publishing drops them, but old versions may have some. Without `base` every change is safe. */
export async function changesOf(
  base: SurveyDefinition | undefined,
  draft: SurveyDefinition,
  former: FormerQuestions,
  answered: Answered,
): Promise<Change[]> {
  const changes = await runInSlices(
    comparingDefinitions(dropEmptyPages(base ?? nothing), dropEmptyPages(draft), answered, shortHash, former),
  );
  return base ? changes : changes.map((change) => ({ ...change, class: "safe" }));
}

const shortHash = (text: string): string => hash("sha256", text).slice(0, 16);

/** Returns an id for exactly this list of changes, so that a client can acknowledge any number of them at once. */
export function changesIdOf(changes: readonly Change[]): string {
  return shortHash(JSON.stringify(changes.map(({ changeId }) => changeId)));
}

export function worstClass(changes: readonly Change[]): ChangeClass {
  const worst = changes.reduce((most, change) => Math.max(most, changeClasses.indexOf(change.class)), 0);
  return changeClasses[worst]!;
}

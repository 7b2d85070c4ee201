import { runInSlices } from "@canvass/fairness";
import {
  changeClasses,
  comparingDefinitions,
  dropEmptyPages,
  type Answered,
  type Change,
  type ChangeClass,
  type SurveyDefinition,
} from "@canvass/questions";
import { hash } from "node:crypto";
import type { SurveyContext } from "../context.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

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

const nothing: SurveyDefinition = { pages: [] };

/** Ignores empty pages: publishing drops them, but old versions may have some. Without `base` every change is safe. */
export async function changesOf(
  base: SurveyDefinition | undefined,
  draft: SurveyDefinition,
  answered: Answered,
): Promise<Change[]> {
  const changes = await runInSlices(
    comparingDefinitions(dropEmptyPages(base ?? nothing), dropEmptyPages(draft), answered, shortHash),
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

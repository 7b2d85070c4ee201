import {
  changeClasses,
  comparingDefinitions,
  dropEmptyPages,
  type Answered,
  type Change,
  type ChangeClass,
  type SurveyDefinition,
} from "@canvass/questions";
import { inTurns } from "@canvass/telemetry";
import { hash } from "node:crypto";
import type { SurveyContext } from "../context.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Counts the answers to questions. Asks the response service, so never call it in a transaction. */
export async function countAnswered(
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

/** Ids of the questions of a definition. */
export function questionIdsOf({ pages }: SurveyDefinition): string[] {
  return pages.flatMap(({ elements }) => elements.map(({ questionId }) => questionId));
}

const nothing: SurveyDefinition = { pages: [] };

/**
 * What publishing the draft would change, which drops its empty pages; a version of before they were dropped may hold some.
 * Before the first publication nothing can be at stake: all of it is safe.
 */
export async function changesOf(
  base: SurveyDefinition | undefined,
  draft: SurveyDefinition,
  answered: Answered,
): Promise<Change[]> {
  const changes = await inTurns(
    comparingDefinitions(dropEmptyPages(base ?? nothing), dropEmptyPages(draft), answered, shortHash),
  );
  return base ? changes : changes.map((change) => ({ ...change, class: "safe" }));
}

const shortHash = (text: string): string => hash("sha256", text).slice(0, 16);

/** An id that stands for exactly these changes, so that however many there are, they can be acknowledged. */
export function changesIdOf(changes: readonly Change[]): string {
  return shortHash(JSON.stringify(changes.map(({ changeId }) => changeId)));
}

/** The worst class of some changes. */
export function worstClass(changes: readonly Change[]): ChangeClass {
  const worst = changes.reduce((most, change) => Math.max(most, changeClasses.indexOf(change.class)), 0);
  return changeClasses[worst]!;
}

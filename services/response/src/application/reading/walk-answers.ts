import type { Sql } from "@canvass/postgres";
import { toAnswerRecords, type AnswerRecord } from "../../domain/submissions/answer-record.ts";
import type { AnswerFilter, AnswerSetRecord, SetPosition } from "../../storage/answers/answer-set-pages.ts";
import { findAnswerSets, positionOf } from "../../storage/answers/answer-set-pages.ts";
import { answersOf } from "../../storage/answers/current-answers.ts";
import type { PageSize } from "../../storage/row-page.ts";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";

/** An answer's position, ordered by time, then by ids: the position of its set, and its number. */
export type AnswerPosition = readonly [...SetPosition, number: number];

export interface ListedAnswer extends AnswerRecord {
  respondentId: string;
  versionNumber: number;
  isTest: boolean;
  position: AnswerPosition;
}

export interface AnswerWalk {
  filter: AnswerFilter;
  after: AnswerPosition | undefined;
  /** The walk stops at this time, so that a later one misses no answer. Undefined: it does not stop. */
  horizon?: Date;
  size: PageSize;
  /** The language of value labels. */
  language?: string;
}

export interface AnswerStep {
  answers: ListedAnswer[];
  examined: number;
  end: AnswerPosition | undefined;
  isAtHorizon: boolean;
}

const afterAllAnswers = Number.MAX_SAFE_INTEGER;

function endOf(sets: readonly AnswerSetRecord[], answers: readonly ListedAnswer[]): AnswerPosition | undefined {
  const lastSet = sets.at(-1);
  if (!lastSet) return undefined;
  return lastSet.answers ? answers.at(-1)!.position : [...positionOf(lastSet), afterAllAnswers];
}

/** Walks answers in time order with constant memory. Each step is one statement: use a snapshot for consistency. */
export async function* walkAnswers(
  sql: Sql,
  surveys: Pick<SurveyDirectory, "version">,
  { filter, after, horizon, size, language }: AnswerWalk,
): AsyncGenerator<AnswerStep> {
  // The set of `after` may contain more answers.
  let last: SetPosition | undefined = after && [after[0], after[1], after[2] - 1];
  for (let isLast = false; !isLast;) {
    const page = await findAnswerSets(sql, { filter, after: last }, size);
    const beyond = horizon ? page.rows.findIndex((set) => isPastHorizon(set, horizon)) : -1;
    const sets = beyond < 0 ? page.rows : page.rows.slice(0, beyond);
    const answers = await listAnswers(sets, { ...filter, language }, surveys);
    const end = endOf(sets, answers);
    last = end ? [end[0], end[1], end[2]] : last;
    const isNew = (position: AnswerPosition) => !after || isAfter(position, after);
    yield {
      answers: after ? answers.filter(({ position }) => isNew(position)) : answers,
      examined: sets.length,
      end: end && isNew(end) ? end : undefined,
      isAtHorizon: beyond >= 0,
    };
    isLast = page.isLast || beyond >= 0;
  }
}

async function listAnswers(
  sets: readonly AnswerSetRecord[],
  { workspaceId, surveyId, language }: AnswerFilter & Pick<AnswerWalk, "language">,
  surveys: Pick<SurveyDirectory, "version">,
): Promise<ListedAnswer[]> {
  const listed: ListedAnswer[] = [];
  for (const set of sets) {
    if (!set.answers) continue;
    const { respondentId, submittedAt, versionId, versionNumber, isTest } = set;
    const { definition } = await surveys.version({ workspaceId, surveyId, versionId }, language);
    const given = answersOf({
      answers: set.answers,
      metas: set.metas,
      off_path: set.offPath,
      submitted_at: submittedAt,
    });
    for (const record of toAnswerRecords(respondentId, given, definition)) {
      const position: AnswerPosition = [...positionOf(set), record.number];
      listed.push({ ...record, respondentId, versionNumber, isTest, position });
    }
  }
  return listed;
}

/** Under full anonymity the time is a whole day, for which more answers may come, so the horizon does not apply. */
function isPastHorizon({ submittedAt, isAnonymous }: AnswerSetRecord, horizon: Date): boolean {
  return !isAnonymous && submittedAt >= horizon;
}

function isAfter(position: AnswerPosition, after: AnswerPosition): boolean {
  const [time, respondentId, part, number] = position;
  if (time !== after[0]) return time > after[0];
  if (respondentId !== after[1]) return respondentId > after[1];
  return part === after[2] ? number > after[3] : part > after[2];
}

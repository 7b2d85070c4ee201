import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import { questionTypeOf, type Question } from "@canvass/questions";
import { createHash, type Hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { statsOf, type QuestionStats } from "../domain/question-stats.ts";
import type { ResultReader } from "./result-readers.ts";
import {
  readCompletionDays,
  readLeftQuestions,
  readQuestionResults,
  readSurveyResult,
  type SurveyResult,
} from "../storage/results.ts";

export interface ResultRequest {
  workspaceId: string;
  surveyId: string;
  /** The questions of the version that collects now. */
  current: readonly Question[];
  /** The moments the days of the trend begin. */
  dayStarts: readonly Date[];
  reader: Pick<ResultReader, "hold">;
  signal: AbortSignal;
}

export interface CollectedResults {
  survey: SurveyResult;
  /** Completions of each day of the trend. */
  completions: number[];
  /** Of everything that was collected. */
  contentHash: Hash;
  /** The questions' figures, several at a time. */
  pieces(): Generator<QuestionStats[]>;
}

/** So much is read and worked out in one go; then others have their turn. */
const atOnce = { questions: 50, cells: 5_000 };
/** Characters of a piece; a question of more goes alone. */
const pieceLength = 48 * 1024;

/**
 * Collects a survey's figures inside a transaction that is one snapshot. Reads counters that every answer has already
 * moved, so its cost does not grow with the answers, and keeps what is to be sent and nothing else: counters are read
 * for some questions at a time.
 */
export async function collectResults(sql: Sql, request: ResultRequest): Promise<CollectedResults> {
  const { workspaceId, surveyId, current, dayStarts, reader, signal } = request;
  requireReader(signal);
  const currentIds = current.map(({ questionId }) => questionId);
  const [survey, completions, left] = await Promise.all([
    readSurveyResult(sql, workspaceId, surveyId),
    readCompletionDays(sql, workspaceId, surveyId, dayStarts),
    readLeftQuestions(sql, workspaceId, surveyId, currentIds),
  ]);
  const contentHash = createHash("sha256").update(JSON.stringify([survey, completions]));
  const collected: QuestionStats[] = [];
  const isCurrent = new Set(currentIds);
  for (const questions of inGroups([...current, ...left].filter(isAnswerable))) {
    const ids = questions.map(({ questionId }) => questionId);
    const results = await readQuestionResults(sql, workspaceId, surveyId, ids);
    for (const question of questions) {
      const stats = statsOf(question, results.get(question.questionId), isCurrent.has(question.questionId));
      reader.hold(lengthOf(stats));
      contentHash.update(`${stats.questionId} ${stats.elementId} ${stats.responseCount} ${stats.uniqueRespondents} `);
      collected.push(stats);
      contentHash.update(stats.distributionJson);
    }
    await nextTurn();
    requireReader(signal);
  }
  return { survey, completions, contentHash, pieces: () => inPieces(collected) };
}

/** Throws when the reader has left meanwhile: nobody hears of it. */
function requireReader(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError("service_unavailable");
}

const isAnswerable = (question: Question): boolean => questionTypeOf(question).answerable;

function* inGroups(questions: readonly Question[]): Generator<Question[]> {
  let group: Question[] = [];
  let cells = 0;
  for (const question of questions) {
    group.push(question);
    cells += questionTypeOf(question).cells?.(question) ?? 0;
    if (group.length < atOnce.questions && cells < atOnce.cells) continue;
    yield group;
    group = [];
    cells = 0;
  }
  if (group.length > 0) yield group;
}

function* inPieces(stats: readonly QuestionStats[]): Generator<QuestionStats[]> {
  let piece: QuestionStats[] = [];
  let length = 0;
  for (const each of stats) {
    if (length + lengthOf(each) > pieceLength && piece.length > 0) {
      yield piece;
      piece = [];
      length = 0;
    }
    piece.push(each);
    length += lengthOf(each);
  }
  if (piece.length > 0) yield piece;
}

/** Characters, with what stands beside the distribution. */
const lengthOf = ({ distributionJson }: QuestionStats): number => distributionJson.length + 200;

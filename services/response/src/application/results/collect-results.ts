import { AppError } from "@canvass/errors";
import { yieldToEventLoop } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import { questionTypeOf, type Question } from "@canvass/questions";
import { createHash, type Hash } from "node:crypto";
import { statsOf, type QuestionStats } from "../../domain/results/question-stats.ts";
import type { ResultReader } from "./result-readers.ts";
import type { ResultSource } from "./result-source.ts";
import { findFormerQuestions, type SurveyResult } from "../../storage/results/results.ts";

export interface ResultRequest {
  workspaceId: string;
  surveyId: string;
  source: ResultSource;
  current: readonly Question[];
  withQuestions: boolean;
  /** Most bars of a histogram. 0: all there are. */
  bins: number;
  reader: Pick<ResultReader, "hold">;
  signal: AbortSignal;
}

export interface CollectedResults {
  survey: SurveyResult;
  completions: number[];
  contentHash: Hash;
  chunks(): Generator<QuestionStats[]>;
}

/** Questions and cells read between yields to the event loop. */
const atOnce = { questions: 50, cells: 5_000 };
/** Characters per chunk. A longer question has its own chunk. */
const chunkLength = 48 * 1024;

/** Collects figures of current and removed questions. `sql` must read one snapshot. */
export async function collectResults(sql: Sql, request: ResultRequest): Promise<CollectedResults> {
  const { workspaceId, surveyId, source, current, withQuestions, bins, reader, signal } = request;
  requireReader(signal);
  const currentIds = current.map(({ questionId }) => questionId);
  const [survey, completions, left] = await Promise.all([
    source.survey(),
    source.completions(),
    findFormerQuestions(sql, workspaceId, surveyId, currentIds),
  ]);
  const contentHash = createHash("sha256").update(JSON.stringify([survey, completions]));
  const collected: QuestionStats[] = [];
  const isCurrent = new Set(currentIds);
  for (const questions of inGroups([...current, ...left].filter(isAnswerable))) {
    const results = await source.questions(questions);
    for (const question of questions) {
      const stats = statsOf(question, results.get(question.questionId), {
        isCurrent: isCurrent.has(question.questionId),
        bins,
      });
      if (withQuestions) stats.questionJson = JSON.stringify(question);
      reader.hold(lengthOf(stats));
      contentHash.update(
        `${stats.questionId} ${stats.elementId} ${stats.name} ${stats.responseCount} ${stats.uniqueRespondents} `,
      );
      collected.push(stats);
      contentHash.update(stats.distributionJson);
    }
    await yieldToEventLoop();
    requireReader(signal);
  }
  return { survey, completions, contentHash, chunks: () => inChunks(collected) };
}

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

function* inChunks(stats: readonly QuestionStats[]): Generator<QuestionStats[]> {
  let chunk: QuestionStats[] = [];
  let length = 0;
  for (const each of stats) {
    if (length + lengthOf(each) > chunkLength && chunk.length > 0) {
      yield chunk;
      chunk = [];
      length = 0;
    }
    chunk.push(each);
    length += lengthOf(each);
  }
  if (chunk.length > 0) yield chunk;
}

const lengthOf = ({ distributionJson, questionJson = "" }: QuestionStats): number =>
  distributionJson.length + questionJson.length + 200;

import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { inTransaction } from "@canvass/postgres";
import type { GetAggregationRequest, GetAggregationResponseSchema } from "@canvass/proto/response";
import { questionTypeOf, type Question } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { lastDays, startOfDay } from "../domain/recorded-time.ts";
import {
  readCompletionDays,
  readKnownQuestions,
  readQuestionResults,
  readSurveyResult,
  type QuestionResult,
} from "../storage/results.ts";

const trendDays = 30;

/**
 * The results of a survey as they stand (spec 2.7). Reads counters that every answer has already moved, so its cost
 * does not grow with the answers.
 */
export async function getAggregation(
  { db, surveys, now }: ResponseContext,
  { surveyId }: GetAggregationRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof GetAggregationResponseSchema>> {
  const { workspaceId, timeZone } = caller;
  const ref = { workspaceId, surveyId };
  const days = lastDays(timeZone, now(), trendDays);
  const { found, versionId } = await surveys.collection(ref);
  if (!found) throw new AppError("survey_not_found");
  const version = versionId === "" ? undefined : await surveys.version({ ...ref, versionId });
  const dayStarts = days.map((day) => startOfDay(timeZone, day));
  // One snapshot: the figures of an answer agree with each other, whatever is submitted meanwhile.
  const [survey, results, completions, known] = await inTransaction(
    db.pool,
    (sql) =>
      Promise.all([
        readSurveyResult(sql, workspaceId, surveyId),
        readQuestionResults(sql, workspaceId, surveyId),
        readCompletionDays(sql, workspaceId, surveyId, dayStarts),
        readKnownQuestions(sql, workspaceId, surveyId),
      ]),
    { isolation: "repeatable read" },
  );
  const current = version?.definition.pages.flatMap((page) => page.elements) ?? [];
  const currentIds = new Set(current.map(({ questionId }) => questionId));
  const left = known.filter(({ questionId }) => !currentIds.has(questionId) && results.has(questionId));

  return {
    questionStats: [...current, ...left]
      .filter((question) => questionTypeOf(question).answerable)
      .map((question) => statsOf(question, results.get(question.questionId), currentIds.has(question.questionId))),
    totalStarted: BigInt(survey.started),
    totalCompleted: BigInt(survey.completed),
    ...(survey.completed > 0 && {
      averageCompletionSeconds: survey.completionMilliseconds / survey.completed / 1000,
    }),
    completionTrend: days.map((date, index) => ({ date, completions: BigInt(completions[index]!) })),
  };
}

const noAnswers: QuestionResult = { responses: 0, respondents: 0, sum: 0n, buckets: new Map(), min: null, max: null };

function statsOf(question: Question, result: QuestionResult = noAnswers, isCurrent: boolean) {
  const type = questionTypeOf(question);
  const { responses, respondents, sum, buckets, min, max } = result;
  const distribution = type.distribution(question, { responseCount: responses, sum, buckets, min, max });
  return {
    questionId: question.questionId,
    elementId: isCurrent ? question.elementId : "",
    typeName: type.typeName,
    responseCount: BigInt(responses),
    uniqueRespondents: BigInt(respondents),
    distributionJson: JSON.stringify(distribution),
  };
}

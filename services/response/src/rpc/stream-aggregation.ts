import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { lastDays, startOfDay } from "@canvass/values";
import { inTransaction } from "@canvass/postgres";
import type { StreamAggregationRequest, StreamAggregationResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import { collectResults } from "../application/results/collect-results.ts";
import type { ResponseContext } from "../context.ts";

const trendDays = 30;

/** Streams a survey's results, collected first so that a slow reader holds neither a connection nor a snapshot. */
export async function* streamAggregation(
  { database, surveys, resultReaders, now }: ResponseContext,
  { surveyId, withQuestions, includeOffPath, language }: StreamAggregationRequest,
  { caller, signal }: Call,
): AsyncGenerator<MessageInitShape<typeof StreamAggregationResponseSchema>> {
  const { workspaceId, timeZone } = caller;
  const ref = { workspaceId, surveyId };
  const days = lastDays(timeZone, now(), trendDays);
  const { found, versionId } = await surveys.collection(ref);
  if (!found) throw new AppError("survey_not_found");
  const version = versionId === "" ? undefined : await surveys.version({ ...ref, versionId, language });
  const current = version?.definition.pages.flatMap((page) => page.elements) ?? [];
  const dayStarts = days.map((day) => startOfDay(timeZone, day));
  using reader = resultReaders.enter(workspaceId);
  const request = { ...ref, current, withQuestions, includeOffPath, dayStarts, reader, signal };
  const collected = await inTransaction(database.pool, (sql) => collectResults(sql, request), {
    isolation: "repeatable read",
  });
  const { survey, completions, contentHash } = collected;
  const summary = {
    totalStarted: BigInt(survey.started),
    totalCompleted: BigInt(survey.completed),
    ...(survey.completed > 0 && {
      averageCompletionSeconds: survey.completionMilliseconds / survey.completed / 1000,
    }),
    completionTrend: days.map((date, index) => ({ date, completions: BigInt(completions[index]!) })),
    contentHash: contentHash.update(JSON.stringify(days)).digest("hex"),
  };
  yield { summary };
  for (const questionStats of collected.chunks()) yield { questionStats };
}

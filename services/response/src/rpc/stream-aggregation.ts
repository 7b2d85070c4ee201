import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { lastDays, startOfDay } from "@canvass/values";
import { inTransaction } from "@canvass/postgres";
import type { StreamAggregationRequest, StreamAggregationResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import { collectResults } from "../application/results/collect-results.ts";
import { readFilter, unpublished } from "../application/results/read-filter.ts";
import { fromAnswers, fromCounters } from "../application/results/result-source.ts";
import type { ResponseContext } from "../context.ts";
import { filterWords } from "../domain/results/filter-words.ts";

const trendDays = 30;

/** Streams a survey's results, collected first so that a slow reader holds neither a connection nor a snapshot. */
export async function* streamAggregation(
  context: ResponseContext,
  { surveyId, withQuestions, includeOffPath, language, bins, filter: given }: StreamAggregationRequest,
  { caller, signal }: Call,
): AsyncGenerator<MessageInitShape<typeof StreamAggregationResponseSchema>> {
  const { database, surveys, resultReaders, computations, now } = context;
  const { workspaceId, timeZone } = caller;
  const ref = { workspaceId, surveyId };
  const days = lastDays(timeZone, now(), trendDays);
  const { found, versionId } = await surveys.collection(ref);
  if (!found) throw new AppError("survey_not_found");
  const version = versionId === "" ? undefined : await surveys.version({ ...ref, versionId, language });
  const current = version?.definition.pages.flatMap((page) => page.elements) ?? [];
  const dayStarts = days.map((day) => startOfDay(timeZone, day));
  using reader = resultReaders.enter(workspaceId);
  const filter = given && (await readFilter(context, ref, given));
  const query = { ...ref, includeOffPath, wanted: null };
  const answers =
    filter && (await computations.run("aggregation", { ...query, filter }, { timeZone, dayStarts }, signal));
  const collected = await inTransaction(
    database.pool,
    (sql) => {
      const source = answers ? fromAnswers(answers) : fromCounters(sql, { ...ref, includeOffPath, dayStarts });
      return collectResults(sql, { ...ref, source, current, withQuestions, bins, reader, signal });
    },
    { isolation: "repeatable read" },
  );
  const { survey, completions, contentHash } = collected;
  const summary = {
    totalStarted: BigInt(survey.started),
    totalCompleted: BigInt(survey.completed),
    ...(survey.timed > 0 && {
      averageCompletionSeconds: survey.completionMilliseconds / survey.timed / 1000,
    }),
    completionTrend: days.map((date, index) => ({ date, completions: BigInt(completions[index]!) })),
    contentHash: contentHash.update(JSON.stringify(days)).digest("hex"),
    isComputed: answers !== undefined,
    filterWords: filter ? filterWords(filter, version?.definition ?? unpublished) : [],
  };
  yield { summary };
  for (const questionStats of collected.chunks()) yield { questionStats };
}

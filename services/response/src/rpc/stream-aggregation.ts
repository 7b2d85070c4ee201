import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { refuseViolations, type Violation } from "@canvass/inputs";
import { lastDays, startOfDay } from "@canvass/values";
import { inTransaction } from "@canvass/postgres";
import type { StreamAggregationRequest, StreamAggregationResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import { collectResults } from "../application/results/collect-results.ts";
import { readFilter, unpublished } from "../application/results/read-filter.ts";
import { computeReportTables, parseReportTables, readReportTables } from "../application/results/report-tables.ts";
import { fromAnswers, fromCounters } from "../application/results/result-source.ts";
import type { ResponseContext } from "../context.ts";
import { factsOf } from "../domain/results/tables/axis-input.ts";
import { filterWords } from "../domain/results/filter-words.ts";

const trendDays = 30;

/** Streams a survey's results, collected first so that a slow reader holds neither a connection nor a snapshot. */
export async function* streamAggregation(
  context: ResponseContext,
  {
    surveyId,
    withQuestions,
    includeOffPath,
    language,
    bins,
    filter: given,
    crosstabJson,
    seriesJson,
  }: StreamAggregationRequest,
  call: Call,
): AsyncGenerator<MessageInitShape<typeof StreamAggregationResponseSchema>> {
  const { database, surveys, resultReaders, computations, now } = context;
  const { signal } = call;
  const { workspaceId, timeZone } = call.caller;
  const ref = { workspaceId, surveyId };
  const days = lastDays(timeZone, now(), trendDays);
  const violations: Violation[] = [];
  const asked = parseReportTables({ crosstabJson, seriesJson }, violations);
  const { found, versionId, versionNumber: latestVersion } = await surveys.collectingState(ref);
  if (!found) {
    refuseViolations(violations);
    throw new AppError("survey_not_found");
  }
  const definitionIn = async (tag: string) =>
    versionId === "" ? unpublished : (await surveys.version({ ...ref, versionId }, tag)).definition;
  const [definition, translation] = [await definitionIn(""), await definitionIn(language)];
  const current = translation.pages.flatMap((page) => page.elements);
  const dayStarts = days.map((day) => startOfDay(timeZone, day));
  using reader = resultReaders.enter(workspaceId);
  const filter = given && readFilter(given, { definition, latestVersion }, violations);
  const read = readReportTables(asked, { definition, translation, timeZone }, violations);
  refuseViolations(violations);
  const query = { ...ref, timeZone, includeOffPath, wanted: factsOf([]), allAnswers: true };
  const compute = async () => ({
    answers: filter && (await computations.run("aggregation", { ...query, filter }, { timeZone, dayStarts }, signal)),
    tables: await computeReportTables(
      context,
      { ...ref, timeZone, includeOffPath, filter: filter ?? {} },
      read,
      signal,
    ),
  });
  const isComputing = filter !== undefined || read.crosstabs.length + read.series.length > 0;
  const { answers, tables } = await (isComputing ? call.withoutPermit(compute) : compute());
  const tableTexts = [...tables.crosstabJson, ...tables.seriesJson];
  reader.hold(tableTexts.reduce((sum, { length }) => sum + length, 0));
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
    contentHash: contentHash.update(JSON.stringify(days)).update(tableTexts.join("")).digest("hex"),
    isComputed: answers !== undefined,
    filterWords: filter ? filterWords(filter, translation) : [],
    ...tables,
  };
  yield { summary };
  for (const questionStats of collected.chunks()) yield { questionStats };
}

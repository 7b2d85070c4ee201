import { AppError } from "@canvass/errors";
import { reportQuery } from "@canvass/inputs";
import type { AggregationSummary, StreamAggregationResponse } from "@canvass/proto/response";
import type { Question } from "@canvass/questions";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { openStream } from "../../plugins/responses/open-stream.ts";
import { sendChunks } from "../../plugins/responses/send-chunks.ts";
import type { ComputedTable, Crosstab, Series } from "../../report/computed-tables.ts";
import type { ReportOpening } from "../../report/report-page.ts";
import type { ReportedQuestion } from "../../report/question-section.ts";
import { reportEnd, reportPolicy } from "../../report/report-style.ts";
import type { ReportSession } from "../../report/report-renderer.ts";
import type { Api } from "../api.ts";
import { surveyParams } from "./response-params.ts";
import { resultFilter } from "./result-filter.ts";

const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [...reportPolicy, "frame-ancestors 'none'", "sandbox"].join("; "),
};

const renderedTogether = 10;

/** Results as a web page (contract 7.15). */
export function registerGetReportRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/response/surveys/:surveyId/report",
    {
      config: { scope: "responses:read", countsAnswers: true, errors: ["survey_not_found", "service_unavailable"] },
      schema: {
        operationId: "getReport",
        tags: ["Responses"],
        summary: "Get a report of the results as HTML",
        description:
          "Returns an HTML page, without envelope: completions by day, and each question as a chart and in figures. It loads " +
          "nothing and runs no script, and fits phones and paper. Test answers are left out. A filter selects the respondents that are " +
          "counted, as for the aggregation, and the page shows it; `language` selects the language of the page, so filter by the language of respondents with `where`. `crosstab` and " +
          "`series` add tables and figures over time for the same respondents; the request may then take up to 30 seconds.",
        params: surveyParams,
        querystring: reportQuery,
        response: { 200: { description: "The page", content: { "text/html": { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { includeOffPath = false, language = "", crosstab = [], series = [] } = request.query;
      const filter = resultFilter(request.query);
      const { caller, signedCaller } = request.identity!;
      const survey = await context.readSurvey({
        caller: signedCaller,
        workspaceId: caller.workspaceId,
        surveyId,
        requestId: request.id,
        traceparent: request.trace?.traceparent,
      });
      using held = new DisposableStack();
      const session = held.use(context.reports.open(caller.workspaceId));
      const open = (options: object) =>
        context.clients.responses.streamAggregation(
          {
            surveyId,
            withQuestions: true,
            includeOffPath,
            language,
            ...(filter && { filter }),
            crosstabJson: crosstab,
            seriesJson: series,
          },
          options,
        );
      const stream = held.use(await openStream(context, reply, open));
      const opening = { title: survey.name, at: context.now().toISOString(), includesOffPath: includeOffPath };
      const asked = { crosstabs: crosstab.length, series: series.length };
      const chunks = pageOf(session, stream.chunks, opening, asked)[Symbol.asyncIterator]();
      // Rendered before the status is sent, so that an error of the renderer gets its own status.
      const first = await chunks.next();
      reply.headers(headers);
      const isHead = request.method === "HEAD";
      await sendChunks(context, reply, {
        chunks: isHead ? none() : beginning(first.value ?? "", chunks),
        signal: stream.signal,
      });
    },
  );
}

async function* none(): AsyncGenerator<string> {}

async function* beginning(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* pageOf(
  session: ReportSession,
  chunks: AsyncIterable<StreamAggregationResponse>,
  about: Pick<ReportOpening, "title" | "at" | "includesOffPath">,
  asked: { crosstabs: number; series: number },
): AsyncGenerator<string> {
  let started = 0;
  let number = 0;
  for await (const { summary, questionStats } of chunks) {
    if (summary) {
      started = Number(summary.totalStarted);
      const tables = tablesOf(summary, asked);
      yield await session.render({ kind: "opening", opening: { ...about, ...openingOf(summary) } });
      for (const table of tables) yield await session.render({ kind: "table", table });
    }
    for (let from = 0; from < questionStats.length; from += renderedTogether) {
      const group = questionStats.slice(from, from + renderedTogether);
      const questions = group.map((stats) => reportedQuestion(stats, (number += 1), started));
      yield await session.render({ kind: "questions", questions });
    }
  }
  yield reportEnd;
}

/** Throws `service_unavailable` if the response service is of an older version, which computes no tables. */
function tablesOf({ crosstabJson, seriesJson }: AggregationSummary, asked: { crosstabs: number; series: number }) {
  if (crosstabJson.length < asked.crosstabs || seriesJson.length < asked.series) {
    throw new AppError("service_unavailable");
  }
  const crosstabs = crosstabJson.map((json, index): ComputedTable => {
    return { kind: "crosstab", number: index + 1, crosstab: JSON.parse(json) as Crosstab };
  });
  const series = seriesJson.map((json, index): ComputedTable => {
    return { kind: "series", number: index + 1, series: JSON.parse(json) as Series };
  });
  return [...crosstabs, ...series];
}

function openingOf(summary: AggregationSummary) {
  const { totalStarted, totalCompleted, averageCompletionSeconds, completionTrend, filterWords } = summary;
  const trend = completionTrend.map(({ date, completions }) => ({ date, completions: Number(completions) }));
  const averageSeconds = averageCompletionSeconds ?? null;
  return { started: Number(totalStarted), completed: Number(totalCompleted), averageSeconds, trend, filterWords };
}

function reportedQuestion(
  stats: StreamAggregationResponse["questionStats"][number],
  number: number,
  started: number,
): ReportedQuestion {
  return {
    question: JSON.parse(stats.questionJson) as Question,
    typeName: stats.typeName,
    number,
    responses: Number(stats.responseCount),
    respondents: Number(stats.uniqueRespondents),
    isCurrent: stats.elementId !== "",
    distribution: JSON.parse(stats.distributionJson || "{}"),
    started,
  };
}

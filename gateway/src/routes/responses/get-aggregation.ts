import { resultsQuery } from "@canvass/inputs";
import type { AggregationSummary, QuestionStats, StreamAggregationResponse } from "@canvass/proto/response";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond, StreamedData } from "../../plugins/responses/envelope.ts";
import { readerSignal } from "../../plugins/responses/reader-signal.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope, id, named, nullable, shownAs, words } from "../schemas.ts";
import { surveyParams } from "./response-params.ts";
import { resultFilter } from "./result-filter.ts";

/** Current results (contract 7.7). */
const aggregationSchema = named("Aggregation", {
  surveyId: id,
  basis: words(["counters", "answers"], {
    description:
      "`counters`: running counters of all current answers; `answers`: counted for this request over the answers of " +
      "the respondents that the filter selects. Tests are left out",
  }),
  respondents: words(["started"], {
    description:
      "whose answers `questionStats` count: `started` includes respondents who have not completed, unless `completed` " +
      "filters; exports leave them out unless `includePartial` is true",
  }),
  respondentCount: Type.Integer({ description: "number of respondents that the filter selects" }),
  shares: words(["answered"], {
    description:
      "base of percentages, here, in the report and in cross-tables: `answered`, the respondents who were asked and " +
      "answered",
  }),
  includesOffPath: Type.Boolean({
    description: "whether `questionStats` count answers to questions that were off the respondent's path at completion",
  }),
  questionStats: Type.Array(shownAs("QuestionStats")),
  respondentStats: named("RespondentStats", {
    totalStarted: Type.Integer(),
    totalCompleted: Type.Integer(),
    completionRate: Type.Number({ description: "per cent, 0 to 100" }),
    avgCompletionTime: nullable<number>("number", { description: "seconds from start to finish" }),
  }),
  completionTrend: Type.Array(
    named("DayCompletions", { date: Type.String({ format: "date" }), completions: Type.Integer() }),
    { description: "the last 30 days in the workspace's time zone, oldest first" },
  ),
});

export function registerGetAggregationRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/response/surveys/:surveyId/aggregation",
    {
      config: { scope: "responses:read", countsAnswers: true, etag: true, errors: ["survey_not_found"] },
      schema: {
        operationId: "getAggregation",
        tags: ["Responses"],
        summary: "Get aggregated results",
        description:
          "Test answers are left out. The ETag changes when the figures change. With a filter (`completed`, `from`, `to`, " +
          "`distributorId`, `language`, `versionNumber`, `field.<name>`, `where`) the answers of the selected respondents are " +
          "counted; the cost then grows with the survey's respondents, and it may take up to 30 seconds.",
        params: surveyParams,
        querystring: resultsQuery,
        response: { 200: envelope("The survey's results", aggregationSchema) },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const options = { ...rpcOptions(context, request), signal: readerSignal(reply) };
      const { includeOffPath = false, bins = 0, language } = request.query;
      const filter = resultFilter(request.query, language);
      const asked = { surveyId, includeOffPath, bins, ...(filter && { filter }) };
      const chunks = context.clients.responses.streamAggregation(asked, options)[Symbol.asyncIterator]();
      const first = await chunks.next();
      const summary = requireMessage<AggregationSummary>(first.done ? undefined : first.value.summary);
      const data = new StreamedData(aggregationText(asked, summary, chunks));
      return respond(context, reply, { data, etag: `"${summary.contentHash.slice(0, 16)}"` });
    },
  );
}

async function* aggregationText(
  { surveyId, includeOffPath }: { surveyId: string; includeOffPath: boolean },
  summary: AggregationSummary,
  chunks: AsyncIterator<StreamAggregationResponse>,
): AsyncGenerator<string> {
  const { isComputed, totalStarted } = summary;
  const about = {
    surveyId,
    basis: isComputed ? "answers" : "counters",
    respondents: "started",
    respondentCount: Number(totalStarted),
    shares: "answered",
    includesOffPath: includeOffPath,
  };
  yield `${JSON.stringify(about).slice(0, -1)},"questionStats":[`;
  let separator = "";
  for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) {
    const { questionStats } = chunk.value;
    if (questionStats.length === 0) continue;
    yield separator + questionStats.map(questionStatsText).join(",");
    separator = ",";
  }
  const { respondentStats, completionTrend } = summaryView(summary);
  yield `],"respondentStats":${JSON.stringify(respondentStats)},"completionTrend":${JSON.stringify(completionTrend)}}`;
}

function questionStatsText(stats: QuestionStats): string {
  const { questionId, elementId, name, typeName, responseCount, uniqueRespondents, distributionJson } = stats;
  const fields = JSON.stringify({
    questionId,
    elementId: elementId || null,
    ...(name && { name }),
    typeName,
    responseCount: Number(responseCount),
    uniqueRespondents: Number(uniqueRespondents),
  });
  return `${fields.slice(0, -1)},"distribution":${distributionJson || "{}"}}`;
}

function summaryView({ totalStarted, totalCompleted, averageCompletionSeconds, completionTrend }: AggregationSummary) {
  const [started, completed] = [Number(totalStarted), Number(totalCompleted)];
  return {
    respondentStats: {
      totalStarted: started,
      totalCompleted: completed,
      completionRate: percentage(completed, started),
      avgCompletionTime: averageCompletionSeconds ?? null,
    },
    completionTrend: completionTrend.map(({ date, completions }) => ({ date, completions: Number(completions) })),
  };
}

function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

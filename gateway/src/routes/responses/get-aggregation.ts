import type { GetAggregationResponse, QuestionStats } from "@canvass/proto/response";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { contentEtag } from "../../etag.ts";
import { answer } from "../../plugins/envelope.ts";
import { rpcOptions } from "../../rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, id, named, nullable, nullableText } from "../schemas.ts";
import { surveyParams } from "./response-params.ts";

const questionStatsSchema = named("QuestionStats", {
  questionId: id,
  elementId: { ...nullableText, description: "null when the question left the survey" },
  typeName: Type.String(),
  responseCount: Type.Integer(),
  uniqueRespondents: Type.Integer(),
  distribution: Type.Unsafe<object>({
    type: "object",
    additionalProperties: true,
    description: "by type: counts of choices, histogram, mean, NPS score",
  }),
});

/** Spec 2.7. */
const aggregationSchema = named("Aggregation", {
  surveyId: id,
  questionStats: Type.Array(questionStatsSchema),
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

export function getAggregation(api: Api, context: GatewayContext): void {
  api.get(
    "/response/surveys/:surveyId/aggregation",
    {
      config: { scope: "responses:read", etag: true, errors: ["survey_not_found"] },
      schema: {
        operationId: "getAggregation",
        tags: ["Responses"],
        summary: "Get aggregated results",
        description: "Test answers are left out. The ETag changes when a figure does.",
        params: surveyParams,
        response: { 200: envelope("The survey's results", aggregationSchema) },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { responses } = context.services;
      const aggregation = await responses.getAggregation({ surveyId }, rpcOptions(context, request));
      const data = aggregationView(surveyId, aggregation);
      return answer(context, reply, { data, etag: contentEtag(JSON.stringify(data)) });
    },
  );
}

function aggregationView(surveyId: string, aggregation: GetAggregationResponse) {
  const totalStarted = Number(aggregation.totalStarted);
  const totalCompleted = Number(aggregation.totalCompleted);
  return {
    surveyId,
    questionStats: aggregation.questionStats.map(questionStatsView),
    respondentStats: {
      totalStarted,
      totalCompleted,
      completionRate: percentage(totalCompleted, totalStarted),
      avgCompletionTime: aggregation.averageCompletionSeconds ?? null,
    },
    completionTrend: aggregation.completionTrend.map(({ date, completions }) => ({
      date,
      completions: Number(completions),
    })),
  };
}

function questionStatsView(stats: QuestionStats) {
  return {
    questionId: stats.questionId,
    elementId: stats.elementId || null,
    typeName: stats.typeName,
    responseCount: Number(stats.responseCount),
    uniqueRespondents: Number(stats.uniqueRespondents),
    distribution: JSON.parse(stats.distributionJson || "{}") as object,
  };
}

/** With two decimals, 0 of nothing. */
function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

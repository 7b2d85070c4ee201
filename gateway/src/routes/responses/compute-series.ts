import { measures, seriesBody, seriesUnits } from "@canvass/questions";
import { Type } from "typebox";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { RenderedData, respond } from "../../plugins/responses/envelope.ts";
import { readerSignal } from "../../plugins/responses/reader-signal.ts";
import type { Api } from "../api.ts";
import { envelope, named, nullable, withExamples, words } from "../schemas.ts";
import { surveyParams } from "./response-params.ts";
import { basisFields, entrySchema, matched, variableSchema } from "./table-schemas.ts";

const value = nullable<number>("number", {
  description: "NPS from -100 to 100, a mean, or a share in per cent; null: nobody, or withheld",
});
const group = Type.Optional(Type.Integer({ description: "of NPS" }));

/** A measure over time (contract 7.21). */
const seriesSchema = named("Series", {
  ...basisFields,
  variable: variableSchema("TableVariable"),
  by: words(seriesUnits),
  timeZone: Type.String(),
  measure: words(measures),
  categories: Type.Optional(Type.Array(entrySchema, { description: "of a share" })),
  matched,
  counted: Type.Integer({ description: "respondents with a value" }),
  missing: Type.Integer({ description: "respondents without a value" }),
  value,
  points: Type.Array(
    named("SeriesPoint", {
      from: Type.String({ format: "date", description: "the first day" }),
      respondents: Type.Integer({ description: "respondents who started then and have a value" }),
      value,
      isWithheld: Type.Optional(Type.Boolean({ description: "true: too few people with full anonymity (7.20)" })),
      promoters: group,
      passives: group,
      detractors: group,
    }),
    { description: "in order, including those without respondents" },
  ),
});

const body = withExamples(seriesBody, {
  nps: { summary: "NPS by week", value: { name: "recommend", by: "week", measure: "nps" } },
  share: {
    summary: "Share of satisfied respondents by month",
    value: { name: "satisfied", by: "month", measure: "share", categories: ["yes"], timeZone: "Europe/Berlin" },
  },
});

/** Computes a measure over time (contract 7.21). */
export function registerComputeSeriesRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/response/surveys/:surveyId/series",
    {
      config: { scope: "responses:read", countsAnswers: true, errors: ["survey_not_found", "service_unavailable"] },
      schema: {
        operationId: "computeSeries",
        tags: ["Responses"],
        summary: "Compute a figure over time",
        description:
          "Computes NPS, a mean or a share by the day, week or month in which respondents started. Writes nothing. With many respondents it may take up to 30 seconds.",
        params: surveyParams,
        body,
        response: { 200: envelope("The series", seriesSchema) },
      },
    },
    async (request, reply) => {
      const asked = { surveyId: request.params.surveyId, bodyJson: request.bodyText! };
      const options = { ...rpcOptions(context, request), signal: readerSignal(reply) };
      const { seriesJson } = await context.clients.responses.computeSeries(asked, options);
      return respond(context, reply, { data: new RenderedData(seriesJson) });
    },
  );
}

import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, named } from "../schemas.ts";

const summarySchema = named("LiveSummary", {
  since_midnight_total: Type.Integer({ description: "respondents who started a survey since local midnight" }),
  currently_active: Type.Integer({ description: "respondents in an active session" }),
  by_country: Type.Array(
    named("CountryCount", {
      country_code: Type.String({ description: "ISO 3166-1 alpha-2; ZZ: unknown", examples: ["DE"] }),
      count: Type.Integer(),
    }),
    { description: "splits `since_midnight_total`, largest first" },
  ),
});

export function registerGetLiveSummaryRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/respondent-activity/live-summary",
    {
      config: { scope: "any_token" },
      schema: {
        operationId: "getLiveSummary",
        tags: ["Responses"],
        summary: "Get live respondent activity",
        description: `Covers all surveys of the workspace, without tests. Midnight is in the workspace's time zone. A respondent is active
for five minutes after each stored request, in steps of 15 seconds, until it completes.`,
        response: { 200: envelope("What respondents do today and now", summarySchema) },
      },
    },
    async (request, reply) => {
      const { responses } = context.clients;
      const { startedSinceMidnight, active, byCountry } = await responses.getLiveSummary(
        {},
        rpcOptions(context, request),
      );
      const data = {
        since_midnight_total: Number(startedSinceMidnight),
        currently_active: Number(active),
        by_country: byCountry.map(({ countryCode, count }) => ({ country_code: countryCode, count: Number(count) })),
      };
      return respond(context, reply, { data });
    },
  );
}

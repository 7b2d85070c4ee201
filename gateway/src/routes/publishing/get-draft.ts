import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { dateTime, envelope, named, nullable, words } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { surveyParams } from "./publishing-params.ts";

const draftSchema = named("Draft", {
  state: words(["clean", "dirty", "never_published"]),
  baseVersion: nullable<number>("integer", { description: "number of the published version; null: none" }),
  changeCount: Type.Integer({ description: "differences from the published version" }),
  lastEditedAt: dateTime,
});

export function registerGetDraftRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/draft",
    {
      config: { scope: "surveys:read", etag: true, errors: ["survey_not_found"] },
      schema: {
        operationId: "getDraft",
        tags: ["Publishing"],
        summary: "Get the state of the draft",
        description: "Shows whether there are unpublished changes. The ETag is that of the survey.",
        params: surveyParams,
        response: { 200: envelope("How the draft differs from what is published", draftSchema) },
      },
    },
    async (request, reply) => {
      const draft = await context.clients.surveys.getDraft(request.params, rpcOptions(context, request));
      const { state, baseVersion, changeCount, lastEditedAt, etag } = draft;
      const data = { state, baseVersion: baseVersion || null, changeCount, lastEditedAt: isoTime(lastEditedAt) };
      return respond(context, reply, { data, etag });
    },
  );
}

import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { translationBodyWithExamples, translationParams, translationSchema } from "./translation-schemas.ts";

const common =
  "All or nothing. Texts of the survey itself change at once, like its fields and settings; the others with the next publication.";

const writes = [
  {
    method: "put",
    merges: false,
    operationId: "replaceTranslation",
    summary: "Replace a survey's translation into a language",
    description: `Omitted texts lose their translation. An unchanged translation keeps its state, outdated or not. ${common}`,
  },
  {
    method: "patch",
    merges: true,
    operationId: "updateTranslation",
    summary: "Change texts of a survey's translation",
    description: `Only given texts change. A given text counts as a translation of the current source, even if it is unchanged. ${common}`,
  },
] as const;

export function registerWriteTranslationRoutes(api: Api, context: GatewayContext): void {
  for (const { method, merges, ...schema } of writes) {
    api[method](
      "/surveys/:surveyId/translations/:language",
      {
        config: {
          scope: "surveys:write",
          idempotent: true,
          ifMatch: "required",
          etag: true,
          errors: ["survey_not_found", "quota_exceeded"],
        },
        schema: {
          ...schema,
          tags: ["Translations"],
          params: translationParams,
          body: translationBodyWithExamples,
          response: { 200: envelope("The updated translation", translationSchema) },
        },
      },
      async (request, reply) => {
        const change = { ...request.params, merges, ifMatch: ifMatchOf(request), bodyJson: request.bodyText! };
        const answer = await context.clients.surveys.writeTranslation(change, rpcOptions(context, request));
        return respond(context, reply, { data: new RenderedData(answer.textsJson), etag: answer.etag });
      },
    );
  }
}

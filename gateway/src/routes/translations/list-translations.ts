import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { cursorList, wholePagination } from "../pages.ts";
import { surveyParams } from "../surveys/survey-input.ts";
import { translationStatusSchema } from "./translation-schemas.ts";

export function registerListTranslationsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/translations",
    {
      config: { scope: "surveys:read", etag: true, errors: ["survey_not_found"] },
      schema: {
        operationId: "listTranslations",
        tags: ["Translations"],
        summary: "Get the progress of a survey's translations",
        description: "Returns an item for each language that the draft offers besides its own.",
        params: surveyParams,
        response: { 200: cursorList("One item for each language", translationStatusSchema) },
      },
    },
    async (request, reply) => {
      const answer = await context.clients.surveys.listTranslations(request.params, rpcOptions(context, request));
      const data = answer.languages.map(({ language, places, missing, outdated, missingPlaces, outdatedPlaces }) => {
        return { language, places, translated: places - missing, missing, outdated, missingPlaces, outdatedPlaces };
      });
      return respond(context, reply, { data, etag: answer.etag, pagination: wholePagination });
    },
  );
}

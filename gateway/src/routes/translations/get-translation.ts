import { translationQuery } from "@canvass/inputs";
import { TranslationFormat } from "@canvass/proto/survey-translations";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { setNotModifiedIfKnown } from "../../plugins/responses/set-not-modified-if-known.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { fileFormats, translationParams, translationSchema } from "./translation-schemas.ts";

export function registerGetTranslationRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/translations/:language",
    {
      config: { scope: "surveys:read", etag: true, errors: ["survey_not_found", "validation_failed"] },
      schema: {
        operationId: "getTranslation",
        tags: ["Translations"],
        summary: "Get a survey's translation into a language",
        description:
          "Returns the texts of the draft that have a translation, in the survey's order. As a file, without envelope, it has all texts: PO (gettext) with the path of a text as `msgctxt` and outdated ones fuzzy, or CSV with place, source, target and note.",
        params: translationParams,
        querystring: translationQuery,
        response: { 200: envelope("Texts by place", translationSchema) },
      },
    },
    async (request, reply) => {
      const { format = "json" } = request.query;
      const asked = {
        ...request.params,
        format: format === "json" ? TranslationFormat.UNSPECIFIED : fileFormats[format],
      };
      const { textsJson, file, etag } = await context.clients.surveys.getTranslation(
        asked,
        rpcOptions(context, request),
      );
      if (format === "json") return respond(context, reply, { data: new RenderedData(textsJson), etag });
      reply.headers({ etag, "cache-control": "private, no-cache" });
      if (setNotModifiedIfKnown(reply, etag)) return reply.send();
      return reply.type(`${fileTypes[format]}; charset=utf-8`).send(file);
    },
  );
}

const fileTypes = { po: "text/x-gettext-translation", csv: "text/csv" } as const;

import { importTranslationQuery } from "@canvass/inputs";
import { Type } from "typebox";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { csvType } from "../../plugins/body/accept-csv-bodies.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { envelope, named, withExamples } from "../schemas.ts";
import { surveyParams } from "../surveys/survey-input.ts";
import { fileFormats } from "./translation-schemas.ts";
import { poType } from "./accept-translation-files.ts";

const body = withExamples(Type.String(), {
  name: {
    summary: "The survey's name as PO",
    value: 'msgctxt "survey.name"\nmsgid "Lunch"\nmsgstr "Mittagessen"\n',
  },
});

const importedSchema = named("ImportedTranslation", {
  written: Type.Integer({ description: "texts that were imported" }),
  outdated: Type.Array(Type.String({ examples: ["elements.01h8x3k9q2w7d1ej.text"] }), {
    description: "paths whose source has changed since the file was written; they were not imported",
  }),
});

export function registerImportTranslationRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/:surveyId/translations/import",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        ifMatch: "required",
        otherBodyTypes: [csvType],
        etag: true,
        errors: ["survey_not_found", "quota_exceeded"],
      },
      schema: {
        operationId: "importTranslation",
        tags: ["Translations"],
        summary: "Import a translators' file",
        description:
          "Imports a file that `getTranslation` has written, in UTF-8, of at most 1 MiB. Translated texts are merged into those of the survey, all or nothing; empty and fuzzy ones are skipped.",
        params: surveyParams,
        querystring: importTranslationQuery,
        consumes: [poType],
        body,
        response: { 200: envelope("What was taken", importedSchema) },
      },
    },
    async (request, reply) => {
      const { language, format } = request.query;
      const file = { language, format: fileFormats[format], text: request.body, ifMatch: ifMatchOf(request) };
      const asked = { ...request.params, ...file };
      const answer = await context.clients.surveys.importTranslation(asked, rpcOptions(context, request));
      const { written, outdated, etag } = answer;
      return respond(context, reply, { data: { written, outdated }, etag });
    },
  );
}

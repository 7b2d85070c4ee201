import { importResponsesQuery, mostCsvBytes, mostImportRows } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../../context.ts";
import { rpcOptions } from "../../../clients/rpc-options.ts";
import { csvType } from "../../../plugins/body/accept-csv-bodies.ts";
import { respond } from "../../../plugins/responses/envelope.ts";
import type { Api } from "../../api.ts";
import { requireMessage } from "../../require-message.ts";
import { accepted } from "../../location.ts";
import { envelope, withExamples } from "../../schemas.ts";
import { surveyParams } from "../response-params.ts";
import { importPreviewSchema, importPreviewView } from "./import-preview-view.ts";
import { responseImportSchema, responseImportView } from "./import-view.ts";

const body = withExamples(Type.String(), {
  answers: {
    summary: "Two respondents of another system",
    value:
      "externalId,completedAt,lunch,remarks\nr-17,2024-05-02T12:10:00Z,5,More soup\nr-18,2024-05-02T12:31:00Z,3,\n",
  },
});

const description = `A file of at most ${mostCsvBytes / 1_048_576} MiB, also when it is decompressed, and at most ${mostImportRows.toLocaleString("en")} rows, one for each respondent. The first line has the
headings of a CSV export: names or texts of columns; entries are written as their code, text or id. Rows are validated like
submissions to the published version. The import runs in the background: poll \`GET /response/imports/{importId}\` until its \`status\` is
\`completed\`. Rows with violations are skipped; each of the others is stored once. Imported answers count in results and exports, but are not
sent to webhooks or the feed. With \`dryRun=true\` nothing is stored: the response (200) shows the first ten rows as they would be stored, and the
violations of all rows.`;

/** Imports a file of answers (contract 7.22). */
export function registerImportResponsesRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/response/surveys/:surveyId/import",
    {
      config: { scope: "responses:write", idempotent: true, errors: ["survey_not_found", "survey_not_collecting"] },
      schema: {
        operationId: "importResponses",
        tags: ["Responses"],
        summary: "Import a CSV file of answers",
        description,
        params: surveyParams,
        querystring: importResponsesQuery,
        consumes: [csvType],
        body,
        response: {
          200: envelope("What would be imported", importPreviewSchema),
          202: envelope("The queued import", responseImportSchema),
        },
      },
    },
    async (request, reply) => {
      const { responseImports } = context.clients;
      const { surveyId } = request.params;
      const { dryRun, skipUnknown = false } = request.query;
      const csv = request.body as unknown as Buffer;
      const asked = { surveyId, csv, charset: request.bodyCharset, skipUnknown };
      if (dryRun) {
        const preview = await responseImports.previewImport({ import: asked }, rpcOptions(context, request));
        return respond(context, reply, { data: importPreviewView(preview) });
      }
      const { import: queued } = await responseImports.createImport(asked, rpcOptions(context, request));
      const data = responseImportView(requireMessage(queued));
      return respond(context, accepted(reply, `/response/imports/${data.id}`), { data });
    },
  );
}

import { documentQuery } from "@canvass/inputs";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import type { DocumentConverter } from "../../plugins/body/documents/convert-document.ts";
import { remainingMs, yamlType } from "../../plugins/body/documents/accept-document-bodies.ts";
import { yamlTag } from "../../plugins/responses/etag.ts";
import { respondWithFile, type ServedFile } from "../../plugins/responses/file.ts";
import { setNotModifiedIfKnown } from "../../plugins/responses/set-not-modified-if-known.ts";
import { varyByType, wantedType } from "../../plugins/responses/wanted-type.ts";
import type { Api } from "../api.ts";
import { shownAs } from "../schemas.ts";
import { surveyParams } from "../surveys/survey-input.ts";
import { documentForm } from "./document-input.ts";
import { xlsxType } from "./accept-questionnaire-bodies.ts";
import { documentSchemaUrl } from "./get-document-schema.ts";

const jsonType = "application/json";

export function registerGetDocumentRoute(api: Api, context: GatewayContext, converter: DocumentConverter): void {
  const { config, clients } = context;
  const schemaUrl = documentSchemaUrl(config);
  api.get(
    "/surveys/:surveyId/document",
    {
      config: { scope: "surveys:read", etag: true, errors: ["survey_not_found", "version_not_found"] },
      schema: {
        operationId: "getSurveyDocument",
        tags: ["Surveys"],
        summary: "Get a survey as a document",
        description: `${documentForm} Without envelope. Equal surveys have equal documents, byte for byte. The document of a version has the current settings. With \`format=xlsform\` it is an xlsx file, whose sheet \`left_out\` lists what XLSForm cannot express.`,
        params: surveyParams,
        querystring: documentQuery,
        response: {
          200: {
            description: "The document, without envelope",
            content: { [jsonType]: { schema: shownAs("SurveyDocument") } },
          },
        },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { format, version: versionNumber = 0 } = request.query;
      const options = rpcOptions(context, request);
      if (format === "xlsform") {
        const { file, etag } = await clients.surveys.getXlsform({ surveyId, versionNumber }, options);
        const open: ServedFile["open"] = async function* (_options, range) {
          yield range ? file.subarray(range.start, range.end + 1) : file;
        };
        return respondWithFile(context, reply, {
          mediaType: xlsxType,
          name: `${surveyId}.xlsx`,
          size: file.length,
          etag,
          open,
        });
      }
      const { documentJson, etag: tag } = await clients.surveys.getDocument({ surveyId, versionNumber }, options);
      const wanted =
        format === undefined ? wantedType(request, [jsonType, yamlType]) : { json: jsonType, yaml: yamlType }[format];
      const etag = wanted === yamlType ? yamlTag(tag) : tag;
      varyByType(reply);
      reply.headers({ etag, "cache-control": "private, no-cache" });
      if (setNotModifiedIfKnown(reply, etag)) return reply.send();
      reply.header("content-type", `${wanted}; charset=utf-8`);
      if (wanted === jsonType)
        return reply.send(`{\n  "$schema": ${JSON.stringify(schemaUrl)},${documentJson.slice(1)}`);
      const { workspaceId } = request.identity!.caller;
      const conversion = { kind: "write", json: documentJson } as const;
      const { text } = await converter.convert(workspaceId, conversion, remainingMs(config, request));
      return reply.send(`# yaml-language-server: $schema=${schemaUrl}\n${text}`);
    },
  );
}

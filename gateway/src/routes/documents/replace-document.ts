import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { yamlType } from "../../plugins/body/documents/accept-document-bodies.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { surveyParams } from "../surveys/survey-input.ts";
import { surveySchema, surveyView } from "../surveys/survey-view.ts";
import { documentedDocument, documentForm } from "./document-input.ts";

export function registerReplaceDocumentRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/surveys/:surveyId/document",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        otherBodyTypes: [yamlType],
        errors: ["survey_not_found", "feature_locked", "quota_exceeded", "malformed_yaml"],
      },
      schema: {
        operationId: "replaceSurveyDocument",
        tags: ["Surveys"],
        summary: "Replace a survey with a document",
        description: `${documentForm} Fields and settings change at once, pages and elements in the draft. Items with the same key keep their ids; items that are not in the document are removed, or retired if they have answers. A document that changes nothing keeps the ETag.`,
        params: surveyParams,
        body: documentedDocument,
        response: { 200: envelope("The updated survey", surveySchema) },
      },
    },
    async (request, reply) => {
      const change = { surveyId: request.params.surveyId, ifMatch: ifMatchOf(request), bodyJson: request.documentJson };
      const response = await context.clients.surveys.replaceDocument(change, rpcOptions(context, request));
      const survey = requireMessage(response.survey);
      return respond(context, reply, { data: surveyView(survey), etag: survey.etag });
    },
  );
}

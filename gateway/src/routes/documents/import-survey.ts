import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { yamlType } from "../../plugins/body/documents/accept-document-bodies.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { surveySchema, surveyView } from "../surveys/survey-view.ts";
import { documentedDocument, documentForm } from "./document-input.ts";

export function registerImportSurveyRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/import",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        etag: true,
        otherBodyTypes: [yamlType],
        errors: ["feature_locked", "quota_exceeded", "malformed_yaml"],
      },
      schema: {
        operationId: "importSurvey",
        tags: ["Surveys"],
        summary: "Create a survey from a document",
        description: `${documentForm} Creates a draft that is equal to the document, with new ids.`,
        body: documentedDocument,
        response: { 201: envelope("The new survey", surveySchema) },
      },
    },
    async (request, reply) => {
      const { surveys } = context.clients;
      const response = await surveys.importSurvey({ bodyJson: request.documentJson }, rpcOptions(context, request));
      const survey = requireMessage(response.survey);
      created(reply, `/surveys/${survey.surveyId}`);
      return respond(context, reply, { data: surveyView(survey), etag: survey.etag });
    },
  );
}

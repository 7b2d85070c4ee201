import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { identifyInWorkspace } from "../../plugins/authentication/identify-in-workspace.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { documentedCopySurvey, surveyParams } from "./survey-input.ts";
import { surveySchema, surveyView } from "./survey-view.ts";

export function registerCopySurveyRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/:surveyId/copy",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        etag: true,
        bodyOptional: true,
        errors: ["survey_not_found", "version_not_found", "feature_locked", "quota_exceeded"],
      },
      schema: {
        operationId: "copySurvey",
        tags: ["Surveys"],
        summary: "Copy a survey",
        description:
          "Creates a draft with the definition and settings of the draft, or of a version. Ids are new; keys, names and codes are kept. " +
          "`workspaceId` copies it to another workspace in which the token's person may write; the password is not copied there.",
        params: surveyParams,
        body: documentedCopySurvey,
        response: { 201: envelope("The copy", surveySchema) },
      },
    },
    async (request, reply) => {
      const { workspaceId } = (request.body ?? {}) as { workspaceId?: unknown };
      const target =
        typeof workspaceId === "string"
          ? await identifyInWorkspace(context, request, workspaceId, "surveys:write")
          : undefined;
      const response = await context.clients.surveys.copySurvey(
        {
          surveyId: request.params.surveyId,
          bodyJson: request.bodyText ?? "{}",
          targetCaller: target?.signedCaller ?? "",
        },
        rpcOptions(context, request),
      );
      const survey = requireMessage(response.survey);
      created(reply, `/surveys/${survey.surveyId}`);
      return respond(context, reply, { data: surveyView(survey), etag: survey.etag });
    },
  );
}

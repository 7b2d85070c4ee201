import type { CopySurveyResponse } from "@canvass/proto/survey-documents";
import type { FastifyRequest } from "fastify";
import type { Identity } from "../../batches/identity.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { identifyInWorkspace } from "../../plugins/authentication/identify-in-workspace.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { replayOrRefuse } from "../replay-or-refuse.ts";
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
      const survey = requireMessage((await copy(context, request)).survey);
      created(reply, `/surveys/${survey.surveyId}`);
      return respond(context, reply, { data: surveyView(survey), etag: survey.etag });
    },
  );
}

async function copy(context: GatewayContext, request: FastifyRequest): Promise<CopySurveyResponse> {
  const send = (surveyId: string, targetCaller = "") =>
    context.clients.surveys.copySurvey(
      { surveyId, bodyJson: request.bodyText ?? "{}", targetCaller },
      rpcOptions(context, request),
    );
  const { surveyId } = request.params as { surveyId: string };
  const { workspaceId } = (request.body ?? {}) as { workspaceId?: unknown };
  if (typeof workspaceId !== "string") return send(surveyId);
  let target: Identity;
  try {
    target = await identifyInWorkspace(context, request, workspaceId, "surveys:write");
  } catch (refusal) {
    return replayOrRefuse(send(""), refusal);
  }
  return send(surveyId, target.signedCaller);
}

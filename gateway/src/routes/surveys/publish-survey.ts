import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { dateTime, envelope, id, named } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { documentedPublishSurvey, surveyParams } from "./survey-input.ts";

const publicationSchema = named("Publication", { versionId: id, versionNumber: Type.Integer(), publishedAt: dateTime });

export function registerPublishSurveyRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/:surveyId/publish",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        bodyOptional: true,
        errors: [
          "survey_not_found",
          "quota_exceeded",
          "acknowledgement_required",
          "breaking_change",
          "nothing_to_publish",
          "survey_locked",
        ],
      },
      schema: {
        operationId: "publishSurvey",
        tags: ["Surveys"],
        summary: "Publish the draft",
        description:
          "Publishes the draft as a new version, which new respondents get from now on. `acknowledge` lists the changes that affect " +
          "existing results, by their `changeId`. The ETag is that of the survey.",
        params: surveyParams,
        body: documentedPublishSurvey,
        response: { 200: envelope("The new version", publicationSchema) },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { versionId, versionNumber, publishedAt, etag } = await context.clients.surveys.publishSurvey(
        { surveyId, ifMatch: ifMatchOf(request), bodyJson: request.bodyText ?? "{}" },
        rpcOptions(context, request),
      );
      return respond(context, reply, { data: { versionId, versionNumber, publishedAt: isoTime(publishedAt) }, etag });
    },
  );
}

import { linkSubmissionBody } from "@canvass/questions";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { respondentTokenOf } from "../../plugins/authentication/respondent-token.ts";
import type { Api } from "../api.ts";
import { submittedSchema, submittedView } from "../responses/submit-answers.ts";
import { envelope, named, nullableDateTime, withExamples } from "../schemas.ts";
import { isoTimeOrNull } from "../../plugins/responses/timestamps.ts";
import { linkRespondentParams, publicErrors, seenDescription } from "./public-params.ts";

const body = withExamples(linkSubmissionBody, {
  onePage: {
    summary: "The answers of a page",
    value: {
      pageId: "01h8x3k9q2m4a7zp",
      responses: [{ elementId: "01h8x3k9q2w7d1ej", type: "rating", value: 4 }],
    },
  },
  finish: {
    summary: "The last answers",
    value: {
      responses: [{ elementId: "01h8x3k9q2z4k6vn", type: "short_text", value: "Good coffee." }],
      metadata: { complete: true },
    },
  },
});

const ownSubmittedSchema = named("OwnSubmittedAnswers", {
  ...submittedSchema.properties,
  seenAt: { ...nullableDateTime, description: seenDescription },
  previousSeenAt: {
    ...nullableDateTime,
    description: "the same before this request; if you know a different time, another device has stored answers since",
  },
});

export function registerSubmitLinkAnswersRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/links/:code/respondents/:respondentId/answers",
    {
      config: {
        scope: "public",
        limit: "respondents",
        respondentToken: true,
        idempotent: true,
        errors: [...publicErrors, "respondent_not_found", "survey_not_collecting", "quota_full"],
      },
      schema: {
        operationId: "submitLinkAnswers",
        tags: ["Public"],
        summary: "Submit answers as a respondent",
        description: "Validates and stores answers as `POST /response/surveys/{surveyId}` does.",
        params: linkRespondentParams,
        body,
        response: { 200: envelope("One item for each submitted answer", ownSubmittedSchema) },
      },
    },
    async (request, reply) => {
      const sessionToken = respondentTokenOf(request);
      const { submitted, replay } = await context.submitLinkAnswers({
        // The token starts with the workspace id. A forged one uses a turn of the workspace in it, and is refused.
        workspaceId: sessionToken.split(".", 1)[0]!,
        caller: "",
        surveyId: "",
        ...request.params,
        sessionToken,
        bodyJson: request.bodyText!,
        requestId: request.id,
        traceparent: request.trace?.traceparent,
        ...(request.idempotency && { idempotency: request.idempotency }),
      });
      request.replay = replay ?? null;
      const times = {
        seenAt: isoTimeOrNull(submitted.seenAt),
        previousSeenAt: isoTimeOrNull(submitted.previousSeenAt),
      };
      return respond(context, reply, { data: { ...submittedView(submitted), ...times } });
    },
  );
}

import { respondentStatuses } from "@canvass/inputs";
import type { SubmittedAnswers } from "@canvass/proto/response";
import { mostAnswers, submissionBody } from "@canvass/questions";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { dateTime, envelope, id, named, withExamples, words } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { fullQuotaSchema, fullQuotaProperty } from "./full-quota.ts";
import { surveyParams } from "./response-params.ts";

const submitBody = withExamples(submissionBody, {
  onePage: {
    summary: "The answers of a page",
    value: {
      respondentId: "01h8x4v2c6n8b5tq",
      pageId: "01h8x3k9q2m4a7zp",
      responses: [
        { elementId: "01h8x3k9q2w7d1ej", type: "rating", value: 4 },
        { elementId: "01h8x3k9q2x5g9hs", type: "multiple_choice", value: "01h8x3k9q2y0r3fm" },
      ],
    },
  },
  finish: {
    summary: "The last answers",
    value: {
      respondentId: "01h8x4v2c6n8b5tq",
      responses: [
        { elementId: "01h8x3k9q2w7d1ej", type: "rating", value: 5 },
        { elementId: "01h8x3k9q2z4k6vn", type: "short_text", value: "Good coffee." },
      ],
      metadata: { complete: true },
    },
  },
  takeBack: {
    summary: "An answer is retracted",
    value: {
      respondentId: "01h8x4v2c6n8b5tq",
      responses: [{ elementId: "01h8x3k9q2x5g9hs", type: "multiple_choice", value: null }],
    },
  },
});

export const submittedSchema = named("SubmittedAnswers", {
  respondentId: id,
  respondentStatus: words(respondentStatuses),
  quotaFull: fullQuotaSchema,
  responses: Type.Array(
    named("SubmittedAnswer", {
      id,
      elementId: id,
      status: words(["submitted"]),
      submittedAt: dateTime,
    }),
  ),
});

const description = `A respondent completes when all required questions that it can reach are answered, and the submission has
no page, has the last page that the respondent reaches, or has \`metadata.complete\`: true. With
\`metadata.complete\`: false it does not complete, so that a last page of more than ${mostAnswers} answers can be sent in parts.

A text without visible characters (empty, blanks, invisible characters) is no answer, and retracts one, as null does.

Repeating a current answer changes nothing: an answer with the same value (the order of an object's keys does not matter), and
the same \`meta\` if it is given, keeps its id and time, whatever \`collection.editAfterSubmit\` is. A change that this
setting forbids is 422 on that answer. After completion, all required questions that the respondent can reach must stay answered:
retracting such an answer is 422, and a change that leads to more required questions must also answer them.

A respondent that matches a full quota cannot complete: 422 \`quota_full\`, and nothing of the request is stored. As soon as earlier pages
decide it, the response to a page has \`quotaFull\`. A quota with \`onFull\`: \`end\` ends the respondent instead, as \`screened_out\`.`;

export function registerSubmitAnswersRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/response/surveys/:surveyId",
    {
      config: {
        scope: "responses:write",
        limit: "submissions",
        idempotent: true,
        errors: ["invalid_request", "survey_not_found", "respondent_not_found", "survey_not_collecting", "quota_full"],
      },
      schema: {
        operationId: "submitAnswers",
        tags: ["Responses"],
        summary: "Submit a respondent's answers",
        description,
        params: surveyParams,
        body: submitBody,
        response: { 200: envelope("One item for each submitted answer", submittedSchema) },
      },
    },
    async (request, reply) => {
      const { submitted, replay } = await context.submitAnswers({
        workspaceId: request.identity!.caller.workspaceId,
        caller: request.identity!.signedCaller,
        surveyId: request.params.surveyId,
        bodyJson: request.bodyText!,
        requestId: request.id,
        traceparent: request.trace?.traceparent,
        ...(request.idempotency && { idempotency: request.idempotency }),
      });
      request.replay = replay ?? null;
      return respond(context, reply, { data: submittedView(submitted) });
    },
  );
}

export function submittedView({ respondentId, respondentStatus, answers, quotaFull }: SubmittedAnswers) {
  return {
    respondentId,
    respondentStatus,
    ...fullQuotaProperty(quotaFull),
    responses: answers.map(({ answerId, elementId, submittedAt }) => ({
      id: answerId,
      elementId,
      status: "submitted",
      submittedAt: isoTime(submittedAt),
    })),
  };
}

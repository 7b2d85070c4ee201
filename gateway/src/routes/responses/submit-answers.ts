import { respondentStatuses } from "@canvass/inputs";
import type { SubmittedAnswers } from "@canvass/proto/response";
import { mostAnswers, submissionBody } from "@canvass/questions";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { dateTime, envelope, id, named, withExamples, words } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { fullQuotaSchema, fullQuotaView } from "./full-quota.ts";
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
    summary: "An answer taken back",
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

const description = `A respondent completes with the submission by which every required question it can reach is answered, if that submission
names no page, names the last page the respondent reaches, or says \`metadata.complete\`: true. With
\`metadata.complete\`: false it stays open: so a last page of more than ${mostAnswers} answers is sent in parts.

A text that shows nothing (empty, blanks, invisible characters) is no answer, and takes one back as null does.

Sending what stands already is no change: an answer with the same value (the order of an object's keys does not matter), and
the same \`meta\` if any is given, keeps its id and its time, whatever \`collection.editAfterSubmit\` is. A change that this
setting forbids is 422 on that answer. Once completed, a respondent keeps an answer to every required question it can reach:
taking one back is 422 on it, and a change that leads to further required questions must answer them as well.

A respondent that matches a full quota does not complete: 422 \`quota_full\`, and nothing of the request is stored. As soon as earlier pages
decide that, the answer to a page has \`quotaFull\`. A quota with \`onFull\`: \`end\` ends the respondent instead, as \`screened_out\`.`;

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
    ...fullQuotaView(quotaFull),
    responses: answers.map(({ answerId, elementId, submittedAt }) => ({
      id: answerId,
      elementId,
      status: "submitted",
      submittedAt: isoTime(submittedAt),
    })),
  };
}

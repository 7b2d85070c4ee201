import type { BatchedSubmission } from "@canvass/proto/response";
import { batchBody } from "@canvass/questions";
import { fromErrorDetail } from "@canvass/rpc";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { errorFields } from "../../plugins/errors/error-response.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, named, nullableText, withExamples, words, errorCode } from "../schemas.ts";
import { fullQuotaSchema, fullQuotaView } from "./full-quota.ts";
import { surveyParams } from "./response-params.ts";

const rated = { elementId: "01h8x3k9q2w7d1ej", type: "rating", value: 4 };

const body = withExamples(batchBody, {
  newAndKnown: {
    summary: "Somebody new, and a page of somebody who has started",
    value: {
      submissions: [
        { responses: [rated], fields: { customer: 12 }, idempotencyKey: "row-17" },
        { respondentId: "01h8x4v2c6n8b5tq", pageId: "01h8x3k9q2m4a7zp", responses: [rated] },
      ],
    },
  },
});

const submissionSchema = named("BatchedSubmission", {
  index: Type.Integer({ description: "place in the request" }),
  respondentId: { ...nullableText, description: "null when a new respondent was refused" },
  status: words(["submitted", "failed"]),
  quotaFull: fullQuotaSchema,
  ignored: Type.Optional(Type.Integer({ description: "how many values of `fields` were not kept, if any" })),
  error: Type.Unsafe<object | null>({
    ...named("SubmissionError", {
      code: errorCode,
      message: Type.String(),
      suggestion: Type.String(),
      retryable: Type.Boolean(),
      details: Type.Unsafe<object>({
        type: "object",
        additionalProperties: true,
        description: "by code, as of any error",
      }),
    }),
    type: ["object", "null"],
  }),
});

const description = `Each submission is judged and answered by itself, in order; a failed one changes nothing and hinders no other. One without
\`respondentId\` starts a new respondent, of which nothing is left when its answers are refused; its hidden fields have the values of \`fields\`. Places in the \`details\` of an error are places in
that submission.

With an \`idempotencyKey\` a submission that was stored is answered as before when it comes again, in any batch to this survey; one that failed is
judged anew. Twice in one batch, the same content is one submission. An \`Idempotency-Key\` in the header stands for the whole batch.

The batch counts as one request.`;

export function registerSubmitBatchRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/response/surveys/:surveyId/batch",
    {
      config: {
        scope: "responses:write",
        limit: "submissions",
        idempotent: true,
        errors: ["survey_not_found"],
      },
      schema: {
        operationId: "submitBatch",
        tags: ["Responses"],
        summary: "Submit many respondents' answers",
        description,
        params: surveyParams,
        body,
        response: {
          200: envelope(
            "One item for each submission",
            named("SubmittedBatch", { submissions: Type.Array(submissionSchema) }),
          ),
        },
      },
    },
    async (request, reply) => {
      const { surveyId } = request.params;
      const { submissions } = await context.clients.responses.submitBatch(
        { surveyId, bodyJson: request.bodyText! },
        rpcOptions(context, request),
      );
      return respond(context, reply, { data: { submissions: submissions.map(submissionView) } });
    },
  );
}

function submissionView({ respondentId, error, quotaFull, ignored }: BatchedSubmission, index: number) {
  return {
    index,
    respondentId: respondentId || null,
    status: error ? "failed" : "submitted",
    ...fullQuotaView(quotaFull),
    ...(ignored > 0 && { ignored }),
    error: error ? errorFields(fromErrorDetail(error)) : null,
  };
}

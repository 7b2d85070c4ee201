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
import { fullQuotaSchema, fullQuotaProperty } from "./full-quota.ts";
import { surveyParams } from "./response-params.ts";

const rated = { elementId: "01h8x3k9q2w7d1ej", type: "rating", value: 4 };

const body = withExamples(batchBody, {
  newAndKnown: {
    summary: "A new respondent, and a page of one who has started",
    value: {
      submissions: [
        { responses: [rated], fields: { customer: 12 }, idempotencyKey: "row-17" },
        { respondentId: "01h8x4v2c6n8b5tq", pageId: "01h8x3k9q2m4a7zp", responses: [rated] },
      ],
    },
  },
});

const submissionSchema = named("BatchedSubmission", {
  index: Type.Integer({ description: "index in the request" }),
  respondentId: { ...nullableText, description: "null if a new respondent was refused" },
  status: words(["submitted", "failed"]),
  quotaFull: fullQuotaSchema,
  ignored: Type.Optional(Type.Integer({ description: "number of values of `fields` that were not stored, if any" })),
  error: Type.Unsafe<object | null>({
    ...named("SubmissionError", {
      code: errorCode,
      message: Type.String(),
      suggestion: Type.String(),
      retryable: Type.Boolean(),
      details: Type.Unsafe<object>({
        type: "object",
        additionalProperties: true,
        description: "depends on the code, as in any error",
      }),
    }),
    type: ["object", "null"],
  }),
});

const description = `Each submission has its own result, in order; one that fails changes nothing and does not affect the others. A submission without
\`respondentId\` starts a new respondent, which is not stored if its answers are refused; \`fields\` has the values of its hidden fields. Paths in the \`details\` of an error are relative to
that submission.

If a submission with an \`idempotencyKey\` was stored, repeating it in any batch to this survey returns the first result; one that failed is
tried again. The same content twice in one batch counts once. An \`Idempotency-Key\` in the header applies to the whole batch.

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
    ...fullQuotaProperty(quotaFull),
    ...(ignored > 0 && { ignored }),
    error: error ? errorFields(fromErrorDetail(error)) : null,
  };
}

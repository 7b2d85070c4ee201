import type { FastifyRequest } from "fastify";
import type { Submitted } from "../../batches/answer-submitter.ts";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { elementParams } from "../elements/element-input.ts";
import { replayOrRefuse } from "../replay-or-refuse.ts";
import { envelope } from "../schemas.ts";
import { isoTimeOrNull } from "../../plugins/responses/timestamps.ts";
import { documentedNpsResponse, npsResponseSchema, singleAnswerLimits } from "./nps-response-view.ts";
import { requireNps } from "./require-nps.ts";

/** Submits one answer like an ordinary submission, which can complete the respondent. */
export function registerSubmitNpsResponseRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/nps/:elementId/response",
    {
      config: {
        scope: "responses:write",
        limit: "submissions",
        idempotent: true,
        errors: ["element_not_found", "element_retired", "respondent_not_found", "survey_not_collecting", "quota_full"],
      },
      schema: {
        operationId: "submitNpsAnswer",
        tags: ["Responses"],
        summary: "Submit a respondent's score",
        description: `The comment is stored with the answer as \`meta.comment\`. ${singleAnswerLimits}`,
        params: elementParams,
        body: documentedNpsResponse,
        response: { 200: envelope("The answer as it was submitted", npsResponseSchema) },
      },
    },
    async (request, reply) => {
      const { elementId } = request.params;
      const { submitted, replay } = await submit(context, request, elementId);
      request.replay = replay ?? null;
      const { respondentId, score, comment = null } = request.body;
      const submittedAt = isoTimeOrNull(submitted.answers[0]?.submittedAt);
      return respond(context, reply, { data: { elementId, respondentId, score, comment, submittedAt } });
    },
  );
}

async function submit(context: GatewayContext, request: FastifyRequest, npsElementId: string): Promise<Submitted> {
  const { signedCaller, caller } = request.identity!;
  const send = (surveyId: string) =>
    context.submitAnswers({
      workspaceId: caller.workspaceId,
      caller: signedCaller,
      surveyId,
      bodyJson: request.bodyText!,
      npsElementId,
      requestId: request.id,
      traceparent: request.trace?.traceparent,
      ...(request.idempotency && { idempotency: request.idempotency }),
    });
  let surveyId: string;
  try {
    ({ surveyId } = await requireNps(context, request, npsElementId));
  } catch (absence) {
    return replayOrRefuse(send(""), absence);
  }
  return send(surveyId);
}

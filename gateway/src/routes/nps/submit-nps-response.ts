import { AppError } from "@canvass/errors";
import type { FastifyRequest } from "fastify";
import type { Submitted } from "../../batches/answer-submitter.ts";
import type { GatewayContext } from "../../context.ts";
import { answer } from "../../plugins/answers/envelope.ts";
import type { Api } from "../api.ts";
import { elementParams } from "../elements/element-input.ts";
import { envelope } from "../schemas.ts";
import { isoTimeOrNull } from "../timestamps.ts";
import { documentedNpsResponse, npsResponseSchema, withOtherAnswers } from "./nps-response-view.ts";
import { requireNps } from "./require-nps.ts";

/** One answer of the ordinary submission: it completes a respondent as any other does. */
export function registerSubmitNpsResponseRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/nps/:elementId/response",
    {
      config: {
        scope: "responses:write",
        limit: "submissions",
        idempotentIn: "response",
        errors: ["element_not_found", "element_retired", "respondent_not_found", "survey_not_collecting"],
      },
      schema: {
        operationId: "submitNpsResponse",
        tags: ["Responses"],
        summary: "Submit a respondent's score",
        description: `The comment is stored with the answer as \`meta.comment\`. ${withOtherAnswers}`,
        params: elementParams,
        body: documentedNpsResponse,
        response: { 200: envelope("The answer as it was submitted", npsResponseSchema) },
      },
    },
    async (request, reply) => {
      const { elementId } = request.params;
      const { respondentId, score, comment } = request.body;
      const meta = comment === undefined ? {} : { meta: { comment } };
      const responses = [{ elementId, type: "nps", value: score, ...meta }];
      const { submitted, replay } = await submit(context, request, elementId, { respondentId, responses });
      request.replay = replay ?? null;
      const submittedAt = isoTimeOrNull(submitted.answers[0]?.submittedAt);
      const data = { elementId, respondentId, score, comment: comment ?? null, submittedAt };
      return answer(context, reply, { data });
    },
  );
}

async function submit(
  context: GatewayContext,
  request: FastifyRequest,
  elementId: string,
  body: object,
): Promise<Submitted> {
  const { signedCaller, caller } = request.identity!;
  const send = (surveyId: string) =>
    context.submitAnswers({
      workspaceId: caller.workspaceId,
      caller: signedCaller,
      surveyId,
      bodyJson: JSON.stringify(body),
      requestId: request.id,
      traceparent: request.trace?.traceparent,
      ...(request.idempotency && { idempotency: request.idempotency }),
    });
  let surveyId: string;
  try {
    ({ surveyId } = await requireNps(context, request, elementId));
  } catch (error) {
    // Answered before, it is answered so again, whatever has become of the question; a submission to no survey is no other.
    if (!request.idempotency) throw error;
    return send("").catch(() => {
      throw error;
    });
  }
  return send(surveyId).catch((error: unknown) => {
    throw error instanceof AppError ? asSent(error) : error;
  });
}

/** Where the parts of the one answer stand in the body. */
const places = [
  [/^responses\.0\.value/, "score"],
  [/^responses\.0\.meta/, "comment"],
  [/^responses\.0(?:\.elementId)?$/, "elementId"],
] as const;

/** The refusal with its faults where the caller wrote what is at fault. */
function asSent(error: AppError): AppError {
  if (error.code !== "validation_failed") return error;
  const details = Object.entries(error.details).map(([path, messages]) => {
    const place = places.find(([pattern]) => pattern.test(path));
    return [place?.[1] ?? path, messages];
  });
  return new AppError(error.code, Object.fromEntries(details) as AppError["details"]);
}

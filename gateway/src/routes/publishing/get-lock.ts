import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, named, nullableDateTime, nullableText, nullableWords } from "../schemas.ts";
import { isoTimeOrNull } from "../../plugins/responses/timestamps.ts";
import { surveyParams } from "./publishing-params.ts";

const lockSchema = named("SurveyLock", {
  locked: Type.Boolean(),
  reason: nullableWords(["publishing"]),
  holder: { ...nullableText, description: "the person" },
  expiresAt: nullableDateTime,
});

export function registerGetLockRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/lock",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "getLock",
        tags: ["Publishing"],
        summary: "Get the publication lock of a survey",
        description:
          "The lock prevents a second publication; edits are allowed. The lock of a process that died expires by itself.",
        params: surveyParams,
        response: { 200: envelope("The lock; all null when there is none", lockSchema) },
      },
    },
    async (request, reply) => {
      const { lock } = await context.clients.surveys.getLock(request.params, rpcOptions(context, request));
      const { reason = null, holder = null, expiresAt } = lock ?? {};
      return respond(context, reply, {
        data: { locked: lock !== undefined, reason, holder, expiresAt: isoTimeOrNull(expiresAt) },
      });
    },
  );
}

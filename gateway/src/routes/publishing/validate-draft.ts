import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, named } from "../schemas.ts";
import { issuesSchema, issueView, warningsSchema } from "./issue-view.ts";
import { surveyParams } from "./publishing-params.ts";

const validationSchema = named("DraftValidation", {
  valid: Type.Boolean(),
  issues: issuesSchema,
  warnings: warningsSchema,
});

export function registerValidateDraftRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/:surveyId/publish/validate",
    {
      config: { scope: "surveys:read", idempotent: true, errors: ["survey_not_found"] },
      schema: {
        operationId: "validateDraft",
        tags: ["Publishing"],
        summary: "Check whether the draft can be published",
        description: "Lists all reasons why it cannot be published. Changes nothing.",
        params: surveyParams,
        response: { 200: envelope("Whether the draft can be published", validationSchema) },
      },
    },
    async (request, reply) => {
      const { valid, issues, warnings } = await context.clients.surveys.validateDraft(
        request.params,
        rpcOptions(context, request),
      );
      return respond(context, reply, {
        data: { valid, issues: issues.map(issueView), warnings: warnings.map(issueView) },
      });
    },
  );
}

import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { dateTime, envelope, id, named } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";
import { respondentRemains, remainsSchema } from "./remains.ts";
import { respondentParams } from "./response-params.ts";

const receiptSchema = named("ErasureReceipt", {
  respondentId: id,
  erasedAt: dateTime,
  answers: Type.Integer({ description: "current answers that were erased" }),
  files: Type.Integer({ description: "export files that were deleted because they contained its data" }),
  uploadedFiles: Type.Integer({ description: "files that the respondent had uploaded" }),
  remains: remainsSchema,
});

export function registerEraseRespondentRoute(api: Api, context: GatewayContext): void {
  api.delete(
    "/response/surveys/:surveyId/respondents/:respondentId",
    {
      config: {
        scope: "responses:write",
        idempotent: true,
        errors: ["survey_not_found", "respondent_not_found"],
      },
      schema: {
        operationId: "eraseRespondent",
        tags: ["Responses"],
        summary: "Erase a respondent",
        description: `Permanently erases the respondent with its answers and uploaded files, from all results, lists and totals. The audit log records that a
respondent of the survey was erased, but not which one.`,
        params: respondentParams,
        response: { 200: envelope("The receipt", receiptSchema) },
      },
    },
    async (request, reply) => {
      const { respondentId } = request.params;
      const receipt = await context.clients.responses.eraseRespondent(request.params, rpcOptions(context, request));
      const { answers, files, uploadedFiles, erasedAt } = receipt;
      const counts = { answers, files, uploadedFiles };
      return respond(context, reply, {
        data: { respondentId, erasedAt: isoTime(erasedAt), ...counts, remains: respondentRemains },
      });
    },
  );
}

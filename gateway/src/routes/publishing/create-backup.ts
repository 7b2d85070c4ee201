import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { backupSchema, backupView } from "./backup-view.ts";
import { surveyParams } from "./publishing-params.ts";

export function registerCreateBackupRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/:surveyId/draft/backups",
    {
      config: { scope: "surveys:write", idempotent: true, errors: ["survey_not_found", "quota_exceeded"] },
      schema: {
        operationId: "createBackup",
        tags: ["Publishing"],
        summary: "Back up the draft",
        description: "Saves a copy of the draft, for example before a risky edit.",
        params: surveyParams,
        response: { 201: envelope("The backup", backupSchema) },
      },
    },
    async (request, reply) => {
      const { backup } = await context.clients.surveys.createBackup(request.params, rpcOptions(context, request));
      created(reply, `/surveys/${request.params.surveyId}/draft/backups`);
      return respond(context, reply, { data: backupView(requireMessage(backup)) });
    },
  );
}

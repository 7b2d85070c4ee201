import { cursorList, wholePagination } from "../pages.ts";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { backupSchema, backupView } from "./backup-view.ts";
import { surveyParams } from "./publishing-params.ts";

export function registerListBackupsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/draft/backups",
    {
      config: { scope: "surveys:read", errors: ["survey_not_found"] },
      schema: {
        operationId: "listBackups",
        tags: ["Publishing"],
        summary: "List the draft's backups",
        description:
          "The newest 30 are kept. Backups are made before publishing and restoring, on request, and while the draft is edited " +
          "if the newest is older than ten minutes.",
        params: surveyParams,
        response: { 200: cursorList("The backups, newest first", backupSchema) },
      },
    },
    async (request, reply) => {
      const { backups } = await context.clients.surveys.listBackups(request.params, rpcOptions(context, request));
      return respond(context, reply, { data: backups.map(backupView), pagination: wholePagination });
    },
  );
}

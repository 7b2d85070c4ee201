import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { restoredDraftSchema, restoredDraftView } from "./backup-view.ts";
import { backupParams } from "./publishing-params.ts";

export function registerRestoreBackupRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/surveys/:surveyId/draft/backups/:backupId/restore",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        errors: ["survey_not_found", "backup_not_found", "quota_exceeded"],
      },
      schema: {
        operationId: "restoreBackup",
        tags: ["Publishing"],
        summary: "Restore a backup to the draft",
        description:
          "Replaces the draft, which is backed up first; the published version does not change. Answered questions " +
          "that the draft loses are retired. The ETag is that of the survey.",
        params: backupParams,
        response: { 200: envelope("The draft that was restored", restoredDraftSchema) },
      },
    },
    async (request, reply) => {
      const restoration = { ...request.params, ifMatch: ifMatchOf(request) };
      const restored = await context.clients.surveys.restoreBackup(restoration, rpcOptions(context, request));
      const draft = requireMessage(restored.draft);
      return respond(context, reply, { data: restoredDraftView(draft), etag: draft.etag });
    },
  );
}

import { cancelJob } from "@canvass/jobs";
import {
  DeleteExportResponseSchema,
  type DeleteExportRequest,
  type DeleteExportResponse,
} from "@canvass/proto/exports";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { ResponseContext } from "../context.ts";
import { exportStatus } from "../domain/exports/export-status.ts";
import { exportAudit } from "../application/exports/audit-export.ts";
import { toExportMessage } from "../application/exports/export-message.ts";
import { requireExport } from "../application/exports/require-export.ts";
import { expireExport } from "../storage/exports/exports.ts";

export async function deleteExport(
  context: ResponseContext,
  { exportId }: DeleteExportRequest,
  call: Call,
): Promise<DeleteExportResponse> {
  const { workspaceId } = call.caller;
  const ref = { workspaceId, exportId };
  const response = await idempotentWrite(context, call, DeleteExportResponseSchema, async ({ sql, publish }) => {
    const now = context.now();
    const before = exportStatus(await requireExport(sql, ref), now);
    await cancelJob(sql, workspaceId, exportId, now);
    await expireExport(sql, ref, now);
    const deleted = await requireExport(sql, ref);
    const states = { before: { status: before }, after: { status: exportStatus(deleted, now) } };
    if (states.before.status !== states.after.status) {
      await publish(exportAudit(call, { action: "export.deleted", at: now, exportId, ...states }));
    }
    return { export: toExportMessage(deleted, now) };
  });
  context.exports?.clean();
  return response;
}

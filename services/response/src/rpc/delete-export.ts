import { cancelJob } from "@canvass/jobs";
import {
  DeleteExportResponseSchema,
  type DeleteExportRequest,
  type DeleteExportResponse,
} from "@canvass/proto/exports";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { ResponseContext } from "../context.ts";
import { toExportMessage } from "../exports/export-message.ts";
import { requireExport } from "../exports/require-export.ts";
import { expireExport } from "../storage/exports.ts";

/** Cancels an export, or takes the file of a finished one back. Again changes nothing. Throws `export_not_found`. */
export async function deleteExport(
  context: ResponseContext,
  { exportId }: DeleteExportRequest,
  call: Call,
): Promise<DeleteExportResponse> {
  const { workspaceId } = call.caller;
  const ref = { workspaceId, exportId };
  const response = await idempotentWrite(context, call, DeleteExportResponseSchema, async ({ sql }) => {
    await requireExport(sql, ref);
    const now = context.now();
    await cancelJob(sql, workspaceId, exportId, now);
    await expireExport(sql, ref, now);
    return { export: toExportMessage(await requireExport(sql, ref), now) };
  });
  context.exports?.clean();
  return response;
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetExportRequest, GetExportResponseSchema } from "@canvass/proto/exports";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { toExportMessage } from "../application/exports/export-message.ts";
import { requireExport } from "../application/exports/require-export.ts";

export async function getExport(
  { database, now }: ResponseContext,
  { exportId }: GetExportRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetExportResponseSchema>> {
  return { export: toExportMessage(await requireExport(database.sql, { workspaceId, exportId }), now()) };
}

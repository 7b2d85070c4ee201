import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetImportRequest, GetImportResponseSchema } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../../context.ts";
import { importMessage } from "./import-message.ts";
import { requireImport } from "./require-import.ts";

export async function getImport(
  { database }: DistributionContext,
  { importId }: GetImportRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetImportResponseSchema>> {
  return { import: importMessage(await requireImport(database.sql, { workspaceId, importId })) };
}

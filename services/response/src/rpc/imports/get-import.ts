import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetImportRequest, GetImportResponseSchema } from "@canvass/proto/response-imports";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../../context.ts";
import { importMessage } from "./import-message.ts";
import { requireImport } from "./require-import.ts";

export async function getImport(
  { database, findLeftOut }: ResponseContext,
  { importId }: GetImportRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetImportResponseSchema>> {
  const stored = await requireImport(database.sql, { workspaceId, importId });
  return { import: importMessage(stored, await findLeftOut(stored)) };
}

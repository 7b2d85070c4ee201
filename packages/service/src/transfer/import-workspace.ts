import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import {
  claimIdempotencyKeys,
  inTransaction,
  recordIdempotentResponses,
  type IdempotencyKey,
  type Sql,
} from "@canvass/postgres";
import {
  ImportWorkspaceResponseSchema,
  type ImportWorkspaceRequest,
  type ImportWorkspaceResponse,
  type Transfer,
  type WorkspacePart,
  type FilePiece,
} from "@canvass/proto/transfer";
import { hash } from "node:crypto";
import type { Pool } from "pg";
import { findTransferFaults } from "./check-workspace.ts";
import { refused } from "./refused.ts";
import { storeRows, type Replaced } from "./store-rows.ts";
import { readTransferTables, type WorkspaceTransfer, type MovedFiles } from "./workspace-transfer.ts";

export interface ImportHost {
  pool: Pool;
  now: () => Date;
}

/** Files arrive after the rows, while the transaction is idle. */
const mostIdle = "SET LOCAL idle_in_transaction_session_timeout = '1h'";

/** Stores a workspace and a record of the transfer in one transaction. A retry within a day gets the same response. */
export async function importWorkspace(
  { pool, now }: ImportHost,
  moving: WorkspaceTransfer,
  requests: AsyncIterable<ImportWorkspaceRequest>,
  requestId: string,
): Promise<ImportWorkspaceResponse> {
  const steps = requests[Symbol.asyncIterator]();
  const first = await steps.next();
  if (first.done || first.value.step.case !== "transfer") throw refused("The transfer must be told first.");
  const transfer = first.value.step.value;
  const key = transferKeyOf(transfer);
  return inTransaction(pool, async (sql) => {
    await sql.query(mostIdle);
    const [claim] = await claimIdempotencyKeys(sql, [key], now());
    if (claim?.state === "in_progress") throw new AppError("idempotency_in_progress");
    if (claim?.state === "replay") {
      return create(ImportWorkspaceResponseSchema, {
        ...fromBinary(ImportWorkspaceResponseSchema, claim.response),
        takenBefore: true,
      });
    }
    const faults = await findTransferFaults(sql, moving, transfer.workspaceId, []);
    if (faults.length > 0) throw refused(...faults);
    const taken = await storeParts(sql, moving, transfer, partsOf(steps));
    const answer = create(ImportWorkspaceResponseSchema, { taken });
    const response = toBinary(ImportWorkspaceResponseSchema, answer);
    await recordIdempotentResponses(sql, [{ ...key, response, requestId, answeredAt: now() }]);
    return answer;
  });
}

export function transferKeyOf({ workspaceId, transferId }: Transfer): IdempotencyKey {
  const body = hash("sha256", transferId, "buffer");
  return { workspaceId, scope: "import of a workspace", key: transferId, bodyMac: body, bodySha256: body };
}

async function* partsOf(steps: AsyncIterator<ImportWorkspaceRequest>): AsyncGenerator<WorkspacePart["part"]> {
  for (let next = await steps.next(); !next.done; next = await steps.next()) {
    const { step } = next.value;
    if (step.case !== "part") throw refused("The transfer is told twice.");
    yield step.value.part;
  }
}

/** Stores rows and files up to the end part. Throws if its counts do not match. */
async function storeParts(sql: Sql, moving: WorkspaceTransfer, transfer: Transfer, parts: Parts) {
  const tables = new Map((await readTransferTables(sql, moving)).map((table) => [table.table, table]));
  const rows = new Map<string, number>();
  const replaced: Replaced = new Map();
  let files = 0;
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value;
    if (part.case === "rows") {
      const { shape, rows: some } = part.value;
      const table = tables.get(shape?.table ?? "");
      if (!table) throw refused(`The table ${shape?.table} is not known here.`);
      await storeRows(sql, table, transfer, { columns: shape!.columns, rows: some }, replaced);
      rows.set(table.table, (rows.get(table.table) ?? 0) + some.length);
    } else if (part.case === "file") {
      await storeFile(moving.files, transfer.workspaceId, part.value, parts);
      files += 1;
    } else if (part.case === "end") {
      const lacking = part.value.tables.filter(({ table, rows: told }) => BigInt(rows.get(table) ?? 0) !== told);
      if (lacking.length === 0 && BigInt(files) === part.value.files) return part.value;
      throw refused(`Rows or files are missing: ${lacking.map(({ table }) => table).join(", ") || "files"}.`);
    }
  }
  throw refused("The end is missing.");
}

type Parts = AsyncGenerator<WorkspacePart["part"]>;

async function storeFile(
  files: MovedFiles | undefined,
  workspaceId: string,
  first: FilePiece,
  parts: Parts,
): Promise<void> {
  const { key } = first;
  if (!files) throw refused("There are files, and this service stores none.");
  if (key.split("/")[1] !== workspaceId) throw refused("A file belongs to another workspace.");
  await files.write(key, chunksOf(first, parts));
}

async function* chunksOf(first: FilePiece, parts: Parts): AsyncGenerator<Uint8Array> {
  for (let chunk = first; ;) {
    if (chunk.last) return;
    yield chunk.bytes;
    const next = await parts.next();
    if (next.done || next.value.case !== "file" || next.value.value.key !== first.key) {
      throw refused("A file is cut.");
    }
    chunk = next.value.value;
  }
}

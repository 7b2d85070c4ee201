import type { ServiceImpl } from "@connectrpc/connect";
import { create } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { violationAt, refuseViolations } from "@canvass/inputs";
import { lookupIdempotencyKey, sqlFromPg } from "@canvass/postgres";
import { CheckWorkspaceResponseSchema, type WorkspaceTransferService } from "@canvass/proto/transfer";
import { bind, bindStream } from "@canvass/rpc";
import { findTransferFaults } from "./check-workspace.ts";
import { exportWorkspace } from "./export-workspace.ts";
import { importWorkspace, transferKeyOf, type ImportHost } from "./import-workspace.ts";
import type { WorkspaceTransfer } from "./workspace-transfer.ts";

const transferKeyBytes = 32;

/** A transfer holds a connection until it ends, so a process runs one export and one import at a time. */
export function transferRpcs(
  host: ImportHost,
  moving: WorkspaceTransfer,
): ServiceImpl<typeof WorkspaceTransferService> {
  const { pool } = host;
  const exporting = createPermit();
  const importing = createPermit();
  return {
    exportWorkspace: bindStream(host, async function* (_host, request) {
      const hasKey = request.transferKey.length === transferKeyBytes;
      refuseViolations(hasKey ? [] : violationAt("transfer_key", `must have ${transferKeyBytes} bytes.`));
      using _permit = exporting();
      for await (const part of exportWorkspace(pool, moving, request)) yield { part };
    }),
    checkWorkspace: bind(host, async (_host, { transfer, tables }) => {
      const sql = sqlFromPg(pool);
      if (!transfer) throw new AppError("internal_error");
      const { state } = await lookupIdempotencyKey(sql, transferKeyOf(transfer), host.now());
      const taken = state === "replay";
      const faults = taken ? [] : await findTransferFaults(sql, moving, transfer.workspaceId, tables);
      return create(CheckWorkspaceResponseSchema, { faults, taken });
    }),
    importWorkspace: bind(host, async (_host, requests, { requestId }) => {
      using _permit = importing();
      return importWorkspace(host, moving, requests, requestId);
    }),
  };
}

function createPermit(): () => Disposable {
  let isTaken = false;
  return () => {
    if (isTaken) throw new AppError("service_unavailable", { part: "transfer of another workspace" });
    isTaken = true;
    return { [Symbol.dispose]: () => (isTaken = false) };
  };
}

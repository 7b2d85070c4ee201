import { AppError } from "@canvass/errors";
import { auditEvent } from "@canvass/events";
import { newId } from "@canvass/values";
import { insertJob } from "@canvass/jobs";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import {
  CreateImportResponseSchema,
  type CreateImportRequest,
  type CreateImportResponse,
} from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../../context.ts";
import { importKind } from "../../application/imports/imports.ts";
import { countOpenImports, insertImport } from "../../storage/imports/imports.ts";
import { insertStagedRows } from "../../storage/imports/staged-rows.ts";
import { importMessage } from "./import-message.ts";
import { readImport, type ReadImport } from "./read-import.ts";
import { requireImport } from "./require-import.ts";

/** Most unfinished imports of a workspace: one that runs and ten that wait. */
const mostOpen = 11;

export async function createImport(
  context: DistributionContext,
  request: CreateImportRequest,
  call: Call,
): Promise<CreateImportResponse> {
  const { database, now, imports } = context;
  const earlier = await findReplay(database.sql, call, CreateImportResponseSchema, now());
  if (earlier) return earlier;
  const { workspaceId } = call.caller;
  const response = await imports.reads.run(workspaceId, call.signal, async () =>
    store(context, call, await readImport(request)),
  );
  imports.nudge();
  return response;
}

function store(
  context: DistributionContext,
  call: Call,
  { rows, settings }: ReadImport,
): Promise<CreateImportResponse> {
  const { workspaceId } = call.caller;
  return idempotentWrite(context, call, CreateImportResponseSchema, async ({ sql, publish }) => {
    await requireCapacity(sql, workspaceId);
    const at = context.now();
    const ref = { workspaceId, importId: newId(at) };
    const total = rows.length;
    await insertImport(sql, { ...ref, ...settings, total }, at);
    await insertStagedRows(sql, ref, rows, at);
    await insertJob(sql, { workspaceId, jobId: ref.importId, kind: importKind(total), input: {} }, at);
    const audited = { source: "distribution", at, action: "import.created", resourceId: ref.importId } as const;
    await publish(auditEvent(call, { ...audited, after: { rows: total, ...settings } }));
    return { import: importMessage(await requireImport(sql, ref)) };
  });
}

async function requireCapacity(sql: Sql, workspaceId: string): Promise<void> {
  if ((await countOpenImports(sql, workspaceId)) < mostOpen) return;
  throw new AppError("rate_limited", { waiting_imports: mostOpen - 1 }, "The workspace has too many imports waiting.");
}

import { auditEvent } from "@canvass/events";
import { newId } from "@canvass/values";
import { insertJob } from "@canvass/jobs";
import { insertStagedRows } from "@canvass/jobs/imports";
import { findReplay } from "@canvass/postgres/rpc";
import {
  CreateImportResponseSchema,
  type CreateImportRequest,
  type CreateImportResponse,
} from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../../context.ts";
import { contactImportKind } from "../../application/imports/imports.ts";
import { contactImports, insertImport } from "../../storage/imports/imports.ts";
import { importMessage } from "./import-message.ts";
import { readImport, type ReadImport } from "./read-import.ts";
import { requireImport } from "./require-import.ts";

/** Rows that one transaction stores as contacts. */
const chunkLimits = { mostRows: 250 };

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
    await contactImports.requireCapacity(sql, workspaceId);
    const at = context.now();
    const ref = { workspaceId, importId: newId(at) };
    const total = rows.length;
    await insertImport(sql, { ...ref, ...settings, total }, at);
    await insertStagedRows(sql, ref, rows, chunkLimits, at);
    await insertJob(sql, { workspaceId, jobId: ref.importId, kind: contactImportKind(total), input: {} }, at);
    const audited = { source: "distribution", at, action: "import.created", resourceId: ref.importId } as const;
    await publish(auditEvent(call, { ...audited, after: { rows: total, ...settings } }));
    return { import: importMessage(await requireImport(sql, ref)) };
  });
}

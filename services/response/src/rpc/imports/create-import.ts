import { AppError } from "@canvass/errors";
import { auditEvent } from "@canvass/events";
import { insertJob } from "@canvass/jobs";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import {
  CreateImportResponseSchema,
  type CreateImportRequest,
  type CreateImportResponse,
} from "@canvass/proto/response-imports";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import { newId } from "@canvass/values";
import { importKind } from "../../application/imports/imports.ts";
import { readImport, type ReadImport } from "../../application/imports/read-import.ts";
import type { ResponseContext } from "../../context.ts";
import { leftOutHeadings } from "../../domain/imports/import-columns.ts";
import { countOpenImports, insertImport } from "../../storage/imports/response-imports.ts";
import { insertStagedRows } from "../../storage/imports/staged-rows.ts";
import { importMessage } from "./import-message.ts";
import { requireImport } from "./require-import.ts";

/** Most unfinished imports of a workspace: one that runs and ten that wait. */
const mostOpen = 11;

export async function createImport(
  context: ResponseContext,
  { surveyId, csv: bytes, charset, skipUnknown }: CreateImportRequest,
  call: Call,
): Promise<CreateImportResponse> {
  const { database, now, imports } = context;
  const earlier = await findReplay(database.sql, call, CreateImportResponseSchema, now());
  if (earlier) return earlier;
  const { workspaceId } = call.caller;
  const survey = { workspaceId, surveyId };
  const response = await imports.reads.run(workspaceId, call.signal, async () =>
    store(context, call, surveyId, await readImport(context, survey, { file: { bytes, charset }, skipUnknown })),
  );
  imports.nudge();
  return response;
}

function store(
  context: ResponseContext,
  call: Call,
  surveyId: string,
  { version, headings, columns, rows }: ReadImport,
): Promise<CreateImportResponse> {
  const { workspaceId, live, timeZone } = call.caller;
  const { versionId, versionNumber } = version;
  return idempotentWrite(context, call, CreateImportResponseSchema, async ({ sql, publish }) => {
    await requireCapacity(sql, workspaceId);
    const at = context.now();
    const ref = { workspaceId, importId: newId(at) };
    const total = rows.length;
    const target = { surveyId, versionId, versionNumber, isTest: !live, timeZone };
    await insertImport(sql, { ...ref, ...target, headings, total }, at);
    await insertStagedRows(sql, ref, rows, at);
    await insertJob(sql, { workspaceId, jobId: ref.importId, kind: importKind(total), input: {} }, at);
    const audited = { source: "response", at, action: "responses.imported", resourceId: ref.importId } as const;
    await publish(auditEvent(call, { ...audited, after: { surveyId, rows: total } }));
    return { import: importMessage(await requireImport(sql, ref), leftOutHeadings(columns)) };
  });
}

async function requireCapacity(sql: Sql, workspaceId: string): Promise<void> {
  if ((await countOpenImports(sql, workspaceId)) < mostOpen) return;
  throw new AppError("rate_limited", { waiting_imports: mostOpen - 1 }, "The workspace has too many imports waiting.");
}

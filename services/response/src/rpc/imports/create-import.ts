import { auditEvent } from "@canvass/events";
import { insertJob } from "@canvass/jobs";
import { insertStagedRows } from "@canvass/jobs/imports";
import { findReplay } from "@canvass/postgres/rpc";
import {
  CreateImportResponseSchema,
  type CreateImportRequest,
  type CreateImportResponse,
} from "@canvass/proto/response-imports";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import { newId } from "@canvass/values";
import { responseImportKind } from "../../application/imports/imports.ts";
import { readImport, type ReadImport } from "../../application/imports/read-import.ts";
import type { ResponseContext } from "../../context.ts";
import type { FileRow } from "../../domain/imports/imported-rows.ts";
import { leftOutHeadings } from "../../domain/imports/import-columns.ts";
import { responseImports, insertImport } from "../../storage/imports/response-imports.ts";
import { importMessage } from "./import-message.ts";
import { requireImport } from "./require-import.ts";

/**
 * Limits of one transaction, so that it holds locks no longer than a large submission does. A row weighs as much as it
 * has filled cells.
 */
const chunkLimits = {
  mostRows: 100,
  mostWeight: 2_000,
  weightOf: ({ cells }: FileRow) => cells.filter((cell) => cell !== "").length,
};

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
    await responseImports.requireCapacity(sql, workspaceId);
    const at = context.now();
    const ref = { workspaceId, importId: newId(at) };
    const total = rows.length;
    const target = { surveyId, versionId, versionNumber, isTest: !live, timeZone };
    await insertImport(sql, { ...ref, ...target, headings, total }, at);
    await insertStagedRows(sql, ref, rows, chunkLimits, at);
    await insertJob(sql, { workspaceId, jobId: ref.importId, kind: responseImportKind(total), input: {} }, at);
    const audited = { source: "response", at, action: "responses.imported", resourceId: ref.importId } as const;
    await publish(auditEvent(call, { ...audited, after: { surveyId, rows: total } }));
    return { import: importMessage(await requireImport(sql, ref), leftOutHeadings(columns)) };
  });
}

import { isPlan, plans } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { insertJob } from "@canvass/jobs";
import { readObject, refuseViolations, type Violation } from "@canvass/inputs";
import { newId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { findReplay } from "@canvass/postgres/rpc";
import {
  CreateExportResponseSchema,
  type CreateExportRequest,
  type CreateExportResponse,
} from "@canvass/proto/exports";
import { nameKey, type SurveyDefinition, type SurveySettings } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { ResponseContext } from "../context.ts";
import { readExportFilter, readExportOptions, type ExportOptions } from "../domain/exports/export-options.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { exportAudit, auditedOptions } from "../application/exports/audit-export.ts";
import { requireContactAccess } from "../application/exports/require-contact-access.ts";
import { exportKind } from "../application/exports/exports.ts";
import { requireExportCapacity } from "../application/exports/export-capacity.ts";
import { toExportMessage } from "../application/exports/export-message.ts";
import { requireExport } from "../application/exports/require-export.ts";
import type { ExportInput } from "../application/exports/export-work.ts";
import {
  awaitErasures,
  countOpenExports,
  findKnownElements,
  insertExport,
  lockExports,
  sumFileBytes,
} from "../storage/exports/exports.ts";
import { findSurveyResult } from "../storage/results/results.ts";

/** Limit of unfinished exports per workspace, running ones included. Callers are told of ten that may wait. */
const mostOpen = 11;

export async function createExport(
  context: ResponseContext,
  { surveyId, bodyJson }: CreateExportRequest,
  call: Call,
): Promise<CreateExportResponse> {
  const { workspaceId, timeZone, plan } = call.caller;
  // Before any validation: a retry gets the stored response, even if the survey has changed since.
  const earlier = await findReplay(context.database.sql, call, CreateExportResponseSchema, context.now());
  if (earlier) return earlier;
  const body = readObject(bodyJson);
  const asked = readExportOptions(body, timeZone);
  requireContactAccess(asked, call.caller);
  const { exports } = context;
  if (!exports) throw new AppError("service_unavailable", { part: "file storage" });
  const survey = { workspaceId, surveyId };
  const { found, versionId, versionNumber: latestVersion, settings } = await context.surveys.collectingState(survey);
  if (!found) throw new AppError("survey_not_found");
  const isByVersion = asked.elementIds || asked.fields || body["where"] !== undefined;
  const published =
    isByVersion && versionId !== "" ? await context.surveys.version({ ...survey, versionId }) : undefined;
  const definition = published?.definition ?? { pages: [] };
  const filterViolations: Violation[] = [];
  const filter = readExportFilter(body, { definition, latestVersion }, filterViolations);
  const options: ExportOptions = { ...asked, ...filter };
  refuseViolations([
    ...(await elementViolations(context, survey, definition, options)),
    ...fieldViolations(definition, options),
    ...filterViolations,
    ...anonymityViolations(settings.privacy, options),
  ]);
  const mostBytes = plans[isPlan(plan) ? plan : "free"].exportedBytes;
  const response = await idempotentWrite(context, call, CreateExportResponseSchema, async ({ sql, publish }) => {
    await awaitErasures(sql, survey);
    await requireCapacity(sql, workspaceId, mostBytes);
    const now = context.now();
    const exportId = newId(now);
    const input: ExportInput = { expectedRows: await expectRows(sql, survey, options), mostBytes };
    await insertExport(sql, { ...survey, exportId, options }, now);
    await insertJob(sql, { workspaceId, jobId: exportId, kind: exportKind(input.expectedRows), input }, now);
    await publish(
      exportAudit(call, { action: "export.created", at: now, exportId, after: auditedOptions(surveyId, options) }),
    );
    return { export: toExportMessage(await requireExport(sql, { workspaceId, exportId }), now) };
  });
  exports.nudge();
  return response;
}

async function requireCapacity(sql: Sql, workspaceId: string, mostBytes: number): Promise<void> {
  await lockExports(sql, workspaceId);
  if ((await countOpenExports(sql, workspaceId)) >= mostOpen) {
    const details = { waiting_exports: mostOpen - 1 };
    throw new AppError("rate_limited", details, "The workspace has too many exports waiting.");
  }
  requireExportCapacity((await sumFileBytes(sql, workspaceId)) + 1, mostBytes);
}

/** The counters leave out tests, which are few. */
async function expectRows(sql: Sql, { workspaceId, surveyId }: SurveyRef, options: ExportOptions): Promise<number> {
  const { started, completed } = await findSurveyResult(sql, workspaceId, surveyId);
  return options.includePartial ? started : completed;
}

async function elementViolations(
  { database }: ResponseContext,
  survey: SurveyRef,
  definition: SurveyDefinition,
  { elementIds }: ExportOptions,
): Promise<Violation[]> {
  if (!elementIds) return [];
  const known = new Set(await findKnownElements(database.sql, survey, elementIds));
  for (const { elements } of definition.pages) for (const { elementId } of elements) known.add(elementId);
  return elementIds.flatMap((elementId, index) =>
    known.has(elementId)
      ? []
      : [{ path: `elementIds.${index}`, message: "must be an element that the survey collects or has collected" }],
  );
}

function fieldViolations({ fields: published = [] }: SurveyDefinition, { fields }: ExportOptions): Violation[] {
  if (!fields) return [];
  const known = new Set(published.map(({ name }) => nameKey(name)));
  return fields.flatMap((name, index) =>
    known.has(nameKey(name)) ? [] : [{ path: `fields.${index}`, message: "must name a hidden field of the survey" }],
  );
}

/** An anonymous survey must not reveal who answered. */
function anonymityViolations({ anonymity }: SurveySettings["privacy"], { contactFields }: ExportOptions): Violation[] {
  if (!contactFields || anonymity === "none") return [];
  return [{ path: "contactFields", message: "must be left out: the survey is anonymous" }];
}

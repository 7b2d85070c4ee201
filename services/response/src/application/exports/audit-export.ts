import { create } from "@bufbuild/protobuf";
import type { AuditAction } from "@canvass/access";
import { auditEvent, type AuditedState } from "@canvass/events";
import { CallerSchema } from "@canvass/proto/access";
import type { Event } from "@canvass/proto/events";
import type { Call } from "@canvass/rpc";
import type { ExportOptions } from "../../domain/exports/export-options.ts";
import type { StoredExport } from "../../storage/exports/exports.ts";
import type { LinkCreator } from "../../storage/exports/download-links.ts";

interface AuditedExport {
  action: Extract<AuditAction, `export.${string}`>;
  at: Date;
  exportId: string;
  before?: AuditedState;
  after?: AuditedState;
}

export function exportAudit(
  call: Pick<Call, "caller" | "clientAddress" | "requestId">,
  { action, at, exportId, ...states }: AuditedExport,
): Event {
  return auditEvent(call, { source: "response", at, action, resourceId: exportId, ...states });
}

/** Export options for the audit log. Leaves out attributes' names and the condition, which may describe a person. */
export function auditedOptions(surveyId: string, { contactFields, where, ...options }: ExportOptions): AuditedState {
  const names = contactFields?.map((field) => field.split(".", 1)[0]!);
  return { surveyId, ...options, hasCondition: Boolean(where), contactFields: names ? [...new Set(names)] : null };
}

/** Names the creator of the link as the caller, because a download does not tell who downloads. */
export function downloadAudit(
  { clientAddress, requestId }: Pick<Call, "clientAddress" | "requestId">,
  { workspaceId, exportId, surveyId, options, rowCount }: StoredExport,
  madeBy: LinkCreator,
  at: Date,
): Event {
  const caller = create(CallerSchema, { workspaceId, ...madeBy });
  const after = { surveyId, format: options.format, rows: rowCount };
  return exportAudit({ caller, clientAddress, requestId }, { action: "export.downloaded", at, exportId, after });
}

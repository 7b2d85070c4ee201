import type { AuditAction } from "@canvass/access";
import type { AuditRecorded, Event } from "@canvass/proto/events";
import type { Call } from "@canvass/rpc";
import { newEvent } from "./new-event.ts";

/** A JSON object as the audit log shows it. */
export type AuditedState = Readonly<Record<string, unknown>>;

export interface AuditedChange {
  /** Name of the service in the catalogue. */
  source: string;
  at: Date;
  action: AuditAction;
  resourceId: string;
  /** Without secrets, or anything that could be used as one. */
  before?: AuditedState;
  after?: AuditedState;
}

/** The audit entry of a caller's change, for the outbox: append it in the transaction of the change. */
export function auditEvent(
  { caller, clientAddress, requestId }: Pick<Call, "caller" | "clientAddress" | "requestId">,
  change: AuditedChange,
): Event {
  const { workspaceId, personId, personName, tokenId, tokenName } = caller;
  return entryOf(workspaceId, { personId, personName, tokenId, tokenName, clientAddress, requestId }, change);
}

/** The same of a change that the platform made by itself. */
export function platformAuditEvent(workspaceId: string, change: AuditedChange): Event {
  return entryOf(workspaceId, {}, change);
}

type AuditedActor = Pick<
  AuditRecorded,
  "personId" | "personName" | "tokenId" | "tokenName" | "clientAddress" | "requestId"
>;

function entryOf(
  workspaceId: string,
  by: Partial<AuditedActor>,
  { source, at, action, resourceId, before, after }: AuditedChange,
): Event {
  return newEvent({
    workspaceId,
    occurredAt: at,
    source,
    body: {
      case: "auditRecorded",
      value: {
        ...by,
        action,
        resourceId,
        beforeJson: before ? toJson(before) : "",
        afterJson: after ? toJson(after) : "",
      },
    },
  });
}

/** Of a state as JSON, in characters: a page of the log and a message of the bus have room for what they hold. */
const longestState = 16_384;

/** PostgreSQL's JSON takes neither NUL nor half of a surrogate pair. Of a state that is too long it keeps the beginning. */
function toJson(state: AuditedState): string {
  const json = JSON.stringify(state, (_key, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value,
  );
  if (json.length <= longestState) return json;
  return JSON.stringify({ isCut: true, length: json.length, begins: json.slice(0, 2_000).toWellFormed() });
}

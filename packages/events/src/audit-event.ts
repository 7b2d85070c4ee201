import type { AuditAction } from "@canvass/access";
import type { AuditRecorded, Event } from "@canvass/proto/events";
import type { Call } from "@canvass/rpc";
import { newEvent } from "./append-events.ts";

export type AuditedState = Readonly<Record<string, unknown>>;

export interface AuditedChange {
  source: string;
  at: Date;
  action: AuditAction;
  resourceId: string;
  /** Must contain no secret and nothing that could serve as one. */
  before?: AuditedState;
  after?: AuditedState;
}

/** Builds the audit entry of a caller's change. Append it to the outbox in the transaction of the change. */
export function auditEvent(
  { caller, clientAddress, requestId }: Pick<Call, "caller" | "clientAddress" | "requestId">,
  change: AuditedChange,
): Event {
  const { workspaceId, personId, personName, tokenId, tokenName } = caller;
  return entryOf(workspaceId, { personId, personName, tokenId, tokenName, clientAddress, requestId }, change);
}

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

/** Limit of a state's JSON in characters, so that it fits into a page of the log and a message. */
const longestState = 16_384;

/** Removes NUL and replaces lone surrogates: PostgreSQL refuses both in JSON. Cuts a state that is too long. */
function toJson(state: AuditedState): string {
  const json = JSON.stringify(state, (_key, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value,
  );
  if (json.length <= longestState) return json;
  return JSON.stringify({ isCut: true, length: json.length, begins: json.slice(0, 2_000).toWellFormed() });
}

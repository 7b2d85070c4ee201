import type { AuditAction } from "@canvass/access";
import type { Event } from "@canvass/proto/events";
import type { Call } from "@canvass/rpc";
import { newEvent } from "./new-event.ts";

/** A JSON object as the audit log shows it. */
export type AuditedState = Readonly<Record<string, unknown>>;

export interface AuditedChange {
  /** The service that makes the change, as the catalogue names it. */
  source: string;
  at: Date;
  action: AuditAction;
  resourceId: string;
  /** What was and what is; never a secret, nor anything that could be used as one. */
  before?: AuditedState;
  after?: AuditedState;
}

/**
 * The audit entry of a change that a caller makes in another service than the one that keeps the log. Append it to the
 * outbox in the transaction of the change: then the entry exists exactly if the change does, and the log gets it once.
 */
export function auditEvent(
  { caller, clientAddress, requestId }: Pick<Call, "caller" | "clientAddress" | "requestId">,
  { source, at, action, resourceId, before, after }: AuditedChange,
): Event {
  const { workspaceId, personId, personName, tokenId, tokenName } = caller;
  return newEvent({
    workspaceId,
    occurredAt: at,
    source,
    body: {
      case: "auditRecorded",
      value: {
        personId,
        personName,
        tokenId,
        tokenName,
        clientAddress,
        requestId,
        action,
        resourceId,
        beforeJson: before ? toJson(before) : "",
        afterJson: after ? toJson(after) : "",
      },
    },
  });
}

/** PostgreSQL's JSON takes neither NUL nor half of a surrogate pair, and the log must take whatever was done. */
function toJson(state: AuditedState): string {
  return JSON.stringify(state, (_key, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value,
  );
}

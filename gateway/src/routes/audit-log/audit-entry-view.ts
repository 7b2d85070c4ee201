import { auditActions } from "@canvass/access";
import type { AuditEntry } from "@canvass/proto/token";
import { Type } from "typebox";
import { dateTime, id, named, nullableText, words } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";

const state = (description: string) =>
  Type.Unsafe<object | null>({ type: ["object", "null"], additionalProperties: true, description });

const actorSchema = named("AuditActor", {
  type: words(["person", "operator", "platform"], {
    description:
      "operator: somebody who runs the installation, see `ip` and `request_id`; platform: it pauses and disables webhooks by itself",
  }),
  person_id: nullableText,
  person_name: { ...nullableText, description: "at that time, as is the token's name" },
  token_id: nullableText,
  token_name: nullableText,
});

/** The part before the dot of each action. */
const resourceTypes = [...new Set(Object.keys(auditActions).map((action) => action.split(".", 1)[0]!))];

const resourceSchema = named("AuditResource", {
  type: words(resourceTypes),
  id: Type.String({ examples: ["01h8x3k9q2m4a7zp"] }),
});

export const auditEntrySchema = named("AuditEntry", {
  id,
  occurred_at: dateTime,
  actor: actorSchema,
  ip: { ...nullableText, description: "IP address of the request" },
  request_id: { ...nullableText, description: "the X-Request-Id of the response, or of the operator's command" },
  action: words(Object.keys(auditActions)),
  resource: resourceSchema,
  before: state("what was changed, as it was; null when it was created"),
  after: state("what was changed, as it then was; null when it ceased to be"),
});

export function auditEntryView(entry: AuditEntry) {
  return {
    id: entry.entryId,
    occurred_at: isoTime(entry.occurredAt),
    actor: {
      type: entry.actor,
      person_id: entry.personId || null,
      person_name: entry.personName || null,
      token_id: entry.tokenId || null,
      token_name: entry.tokenName || null,
    },
    ip: entry.clientAddress || null,
    request_id: entry.requestId || null,
    action: entry.action,
    resource: { type: entry.resourceType, id: entry.resourceId },
    before: stateOf(entry.beforeJson),
    after: stateOf(entry.afterJson),
  };
}

function stateOf(json: string): object | null {
  return json === "" ? null : (JSON.parse(json) as object);
}

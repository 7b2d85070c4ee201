import type { AuditEntry } from "@canvass/proto/token";

export type ShownEntry = ReturnType<typeof auditEntry>;

export function auditEntry(entry: AuditEntry) {
  const { seconds = 0n, nanos = 0 } = entry.occurredAt ?? {};
  return {
    id: entry.entryId,
    at: new Date(Number(seconds) * 1000 + nanos / 1e6).toISOString(),
    actor: entry.actor,
    personId: entry.personId || null,
    personName: entry.personName || null,
    tokenId: entry.tokenId || null,
    tokenName: entry.tokenName || null,
    address: entry.clientAddress || null,
    requestId: entry.requestId || null,
    action: entry.action,
    resourceId: entry.resourceId,
    before: entry.beforeJson === "" ? null : (JSON.parse(entry.beforeJson) as object),
    after: entry.afterJson === "" ? null : (JSON.parse(entry.afterJson) as object),
  };
}

export function auditLine({
  at,
  actor,
  personName,
  tokenName,
  action,
  resourceId,
  before,
  after,
  ...rest
}: ShownEntry) {
  const person = `${personName ?? "?"} with "${tokenName ?? "?"}"`;
  const who = { operator: "an operator", platform: "the platform" }[actor] ?? person;
  const from = rest.address === null ? "" : ` from ${rest.address}`;
  const request = rest.requestId === null ? "" : ` in request ${rest.requestId}`;
  const states = [before, after].map((state) => (state === null ? "–" : JSON.stringify(state)));
  return `${at}  ${action}  ${resourceId}  by ${who}${from}${request}  ${states.join(" → ")}`;
}

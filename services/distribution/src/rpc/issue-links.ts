import { newLinkCode } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { issueLinksBody, readBody, refuseViolations } from "@canvass/inputs";
import { newId } from "@canvass/values";
import { findReplay } from "@canvass/postgres/rpc";
import { IssueLinksResponseSchema, type IssueLinksRequest, type IssueLinksResponse } from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../context.ts";
import { contactIdViolations, kindViolations, requireLinkCapacity } from "../domain/issuing-rules.ts";
import { insertActivities } from "../storage/contacts/contact-activities.ts";
import { holdContacts } from "../storage/contacts/find-contacts.ts";
import type { DistributorKey } from "../storage/distributors.ts";
import { findLinksOfContacts, insertIssuedLinks, type StoredLink } from "../storage/issued-links.ts";
import { issuedLinkMessage } from "./issued-link-message.ts";
import { findUses } from "./link-uses.ts";
import { appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedDistributor, timeOfChange } from "./require-distributor.ts";

/** Issues links for one person each. A contact that already has a link of the distributor keeps it. */
export async function issueLinks(
  context: DistributionContext,
  { distributorId, bodyJson }: IssueLinksRequest,
  call: Call,
): Promise<IssueLinksResponse> {
  const replay = await findReplay(context.database.sql, call, IssueLinksResponseSchema, context.now());
  if (replay) return replay;
  const body = readBody(issueLinksBody, bodyJson);
  const { contactIds = [] } = body;
  const key = { workspaceId: call.caller.workspaceId, distributorId };
  const usedAt = await usesOfEarlier(context, key, contactIds);
  return idempotentWrite(context, call, IssueLinksResponseSchema, async (transaction) => {
    const { sql, prisma } = transaction;
    const distributor = await requireLockedDistributor(transaction, key);
    refuseViolations(kindViolations(distributor.type, body));
    refuseViolations(contactIdViolations(contactIds, await holdContacts(sql, key.workspaceId, contactIds)));
    const earlier = new Map((await findLinksOfContacts(prisma, key, contactIds)).map((link) => [link.contactId, link]));
    const wanted = body.contactIds ?? Array.from({ length: body.count ?? 0 }, () => null);
    const at = timeOfChange(distributor, context.now());
    const links = wanted.map((contactId) => earlier.get(contactId) ?? newLink(contactId, at));
    const added = links.filter((link) => !earlier.has(link.contactId));
    requireLinkCapacity(distributor.issuedLinks, added.length);
    if (distributor.status === "closed") throw new AppError("invalid_transition", { state: "closed", allowed: [] });
    await insertIssuedLinks(sql, key, added);
    await insertActivities(
      sql,
      added.flatMap((link) => issuedTo(key, link)),
    );
    if (added.length > 0) {
      const after = { links: added.length };
      await appendAuditEvent(transaction, call, { at, action: "distributor.links_issued", distributorId, after });
    }
    return { links: links.map((link) => issuedLinkMessage(link, usedAt.get(link.linkId) ?? "")) };
  });
}

function newLink(contactId: string | null, createdAt: Date): StoredLink {
  return { linkId: newId(createdAt), code: newLinkCode(), contactId, createdAt };
}

function issuedTo({ workspaceId, distributorId }: DistributorKey, { contactId, createdAt: at }: StoredLink) {
  if (contactId === null) return [];
  const activity = { activityId: newId(at), kind: "link_issued" as const, at, changedFields: [], importId: "" };
  return [{ workspaceId, contactId, ...activity, distributorId }];
}

/** Returns the times at which earlier links were used, by link id. Calls a service: not for use in a transaction. */
async function usesOfEarlier(
  context: DistributionContext,
  key: DistributorKey,
  contactIds: readonly string[],
): Promise<Map<string, string>> {
  if (contactIds.length === 0) return new Map();
  const earlier = await findLinksOfContacts(context.database.prisma, key, contactIds);
  const usedAt = await findUses(context, key.workspaceId, earlier);
  return new Map(earlier.map(({ linkId }, index) => [linkId, usedAt[index]!]));
}

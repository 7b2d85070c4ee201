import { AppError } from "@canvass/errors";
import { issueLinksBody, newId, refuseFaults, shapeFaults, type IssueLinksBody } from "@canvass/inputs";
import { IssueLinksResponseSchema, type IssueLinksRequest, type IssueLinksResponse } from "@canvass/proto/distribution";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../context.ts";
import { kindFaults, requireLinkRoom } from "../domain/issuing-rules.ts";
import { newCode } from "../domain/link-code.ts";
import { insertIssuedLinks } from "../storage/issued-links.ts";
import { issuedLinkMessage } from "./issued-link-message.ts";
import { recordChange } from "./record-change.ts";
import { requireLockedDistributor, timeOfChange } from "./require-distributor.ts";

/** Issues links for one person each. Throws `validation_failed`, `quota_exceeded`, and `invalid_transition` when closed. */
export function issueLinks(
  context: DistributionContext,
  { distributorId, bodyJson }: IssueLinksRequest,
  call: Call,
): Promise<IssueLinksResponse> {
  const key = { workspaceId: call.caller.workspaceId, distributorId };
  return idempotentWrite(context, call, IssueLinksResponseSchema, async (transaction) => {
    const body = readBody(bodyJson);
    const distributor = await requireLockedDistributor(transaction, key);
    refuseFaults(kindFaults(distributor.type, body));
    const wanted: (string | null)[] = body.contactIds ?? Array.from({ length: body.count ?? 0 }, () => null);
    requireLinkRoom(distributor.issuedLinks, wanted.length);
    if (distributor.status === "closed") throw new AppError("invalid_transition", { state: "closed", allowed: [] });
    const at = timeOfChange(distributor, context.now());
    const links = wanted.map((contactId) => ({ linkId: newId(at), code: newCode(), contactId, createdAt: at }));
    await insertIssuedLinks(transaction.sql, key, links);
    const after = { links: links.length };
    await recordChange(transaction, call, { at, action: "distributor.links_issued", distributorId, after });
    return { links: links.map((link) => issuedLinkMessage(link, "")) };
  });
}

function readBody(bodyJson: string): IssueLinksBody {
  const body = JSON.parse(bodyJson) as IssueLinksBody;
  refuseFaults(shapeFaults(issueLinksBody, body));
  return body;
}

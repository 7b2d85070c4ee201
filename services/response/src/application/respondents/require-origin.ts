import { refuseViolations, type Violation } from "@canvass/inputs";
import type { StartRespondentRequest } from "@canvass/proto/response";
import type { ResponseContext } from "../../context.ts";
import { distributorViolations, type Link } from "../../domain/links/link.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { findGoneContacts } from "../../storage/collecting/gone-contacts.ts";
import { isLinkFull } from "../../storage/response-quota.ts";

type Origin = Pick<StartRespondentRequest, "distributorId" | "contactId">;

/** Returns the distributor that a start names. Throws `validation_failed` if it or the contact allows no start. */
export async function requireOrigin(
  context: ResponseContext,
  ref: SurveyRef,
  { distributorId, contactId }: Origin,
  now: Date,
): Promise<Link | undefined> {
  const { workspaceId } = ref;
  const link = distributorId === "" ? undefined : await context.links.byDistributor({ workspaceId, distributorId });
  const violations = await Promise.all([
    link ? linkViolations(context, ref, link, now) : [],
    contactId === "" ? [] : contactViolations(context, ref, contactId),
  ]);
  refuseViolations(violations.flat());
  return link;
}

async function linkViolations(
  { database }: ResponseContext,
  ref: SurveyRef,
  link: Link,
  now: Date,
): Promise<Violation[]> {
  const violations = distributorViolations(link, ref, now);
  if (violations.length > 0 || !(await isLinkFull(database.sql, link))) return violations;
  return [{ path: "distributorId", message: "does not collect (link_limit)" }];
}

async function contactViolations(
  { findContactStatus, database }: ResponseContext,
  { workspaceId }: SurveyRef,
  contactId: string,
): Promise<Violation[]> {
  const [gone] = await findGoneContacts(database.hot.sql, [{ workspaceId, contactId }]);
  const status = gone?.status ?? (await findContactStatus({ workspaceId, contactId }));
  if (status === "" || status === "deleted")
    return [{ path: "contactId", message: "is not a contact of this workspace" }];
  return status === "anonymized" ? [{ path: "contactId", message: "is anonymized" }] : [];
}

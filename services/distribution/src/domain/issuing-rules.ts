import { AppError } from "@canvass/errors";
import { mostIssuedLinks, type ContactStatus, type Violation, type IssueLinksBody } from "@canvass/inputs";

/** The body field that a distributor type requires. Other types have one link for everybody. */
const fieldOf: Record<string, "count" | "contactIds"> = { single_use_link: "count", personal_link: "contactIds" };

export function kindViolations(type: string, body: IssueLinksBody): Violation[] {
  const field = fieldOf[type];
  const given = (["count", "contactIds"] as const).filter((name) => body[name] !== undefined);
  const message = field
    ? `must be left out: a distributor of type ${type} takes ${field}`
    : `must be left out: ${oneForAll(type)}`;
  const violations: Violation[] = given.filter((name) => name !== field).map((name) => ({ path: name, message }));
  if (field && !given.includes(field)) violations.push({ path: field, message: "is required" });
  if (!field && given.length === 0)
    violations.push({ path: "distributorId", message: `must be another: ${oneForAll(type)}` });
  return violations;
}

const oneForAll = (type: string): string => `a distributor of type ${type} has one link for everybody`;

export function contactIdViolations(
  contactIds: readonly string[],
  known: readonly { contactId: string; status: ContactStatus }[],
): Violation[] {
  const reachable = new Set(known.filter(({ status }) => status !== "anonymized").map(({ contactId }) => contactId));
  return contactIds.flatMap((contactId, index) => {
    const path = `contactIds.${index}`;
    if (!reachable.has(contactId)) return [{ path, message: "must be a contact that exists and is not anonymized" }];
    return contactIds.indexOf(contactId) < index ? [{ path, message: "is listed twice" }] : [];
  });
}

export function requireLinkCapacity(present: number, more: number): void {
  const requested = present + more;
  if (requested <= mostIssuedLinks) return;
  const details = { limit: mostIssuedLinks, requested, required_plan: null, unit: "links" };
  throw new AppError("quota_exceeded", details, "The distributor would have more links than it may have.");
}

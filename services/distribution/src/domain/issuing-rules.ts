import { AppError } from "@canvass/errors";
import { mostIssuedLinks, type Fault, type IssueLinksBody } from "@canvass/inputs";

/** By type, what its links are issued for; the other types have one link for everybody. */
const fieldOf: Record<string, "count" | "contactIds"> = { single_use_link: "count", personal_link: "contactIds" };

/** What is wrong with a body for a distributor of that type. */
export function kindFaults(type: string, body: IssueLinksBody): Fault[] {
  const field = fieldOf[type];
  const given = (["count", "contactIds"] as const).filter((name) => body[name] !== undefined);
  const message = field
    ? `must be left out: a distributor of type ${type} takes ${field}`
    : `must be left out: a distributor of type ${type} has one link for everybody`;
  const faults = given.filter((name) => name !== field).map((name) => ({ path: name, message }));
  if (field && !given.includes(field)) faults.push({ path: field, message: "is required" });
  return faults;
}

/** Throws `quota_exceeded` when a distributor with so many links can not have so many more. */
export function requireLinkRoom(present: number, more: number): void {
  const requested = present + more;
  if (requested <= mostIssuedLinks) return;
  const details = { limit: mostIssuedLinks, requested, required_plan: null, unit: "links" };
  throw new AppError("quota_exceeded", details, "The distributor would have more links than it may have.");
}

import { auditResources, isAuditAction } from "@canvass/access";
import { type Violation } from "@canvass/inputs";
import { isId } from "@canvass/values";

export interface AuditFilter {
  actorId?: string;
  /** Selects entries of this actor that name no person. */
  withoutPerson?: "operator" | "platform";
  action?: string;
  resourceId?: string;
  resourceType?: string;
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

/** Empty text means no filter. */
export function readAuditFilter(given: {
  actor: string;
  action: string;
  resource: string;
  from?: Date | undefined;
  to?: Date | undefined;
}): { filter: AuditFilter; violations: Violation[] } {
  const { actor, action, resource, from, to } = given;
  const violations: Violation[] = [];
  const filter: AuditFilter = { ...(from && { from }), ...(to && { to }) };
  if (actor === "operator" || actor === "platform") filter.withoutPerson = actor;
  else if (isId(actor)) filter.actorId = actor;
  else if (actor)
    violations.push({ path: "actor", message: "must be the id of a person or a token, operator, or platform" });
  if (isAuditAction(action)) filter.action = action;
  else if (action) violations.push({ path: "action", message: "is not an action of the audit log" });
  if (isId(resource)) filter.resourceId = resource;
  else if (isResourceType(resource)) filter.resourceType = resource;
  else if (resource)
    violations.push({ path: "resource", message: `must be an id, or one of ${auditResources.join(", ")}` });
  return { filter, violations };
}

function isResourceType(text: string): boolean {
  return (auditResources as readonly string[]).includes(text);
}

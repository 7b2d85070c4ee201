/** Every change that the audit log records (contract 4.11). What stands before the dot is the type of the resource. */
export const auditActions = {
  "workspace.created": "A workspace was created with its owner and first token",
  "workspace.plan_changed": "A workspace was given another plan",
  "person.added": "A person became a member of the workspace",
  "person.role_changed": "A member was given another role",
  "role.created": "A custom role was created",
  "token.created": "A token was created",
  "token.updated": "A token was given another name or other scopes",
  "token.rotated": "A token was replaced by a new one",
  "token.revoked": "A token was revoked",
  "survey.created": "A survey was created",
  "survey.updated": "A survey's fields or settings were changed",
  "survey.questions_added": "Questions were added to a survey",
  "survey.published": "A survey was published",
  "subscription.created": "An event subscription was created",
  "subscription.deleted": "An event subscription was deleted",
} as const satisfies Record<`${string}.${string}`, string>;

export type AuditAction = keyof typeof auditActions;

/** What an action is about: the part of its name before the dot. */
export type AuditResource = AuditAction extends `${infer Resource}.${string}` ? Resource : never;

/** Every type of resource that has audited changes, each once. */
export const auditResources = [...new Set(Object.keys(auditActions).map(resourceOf))] as AuditResource[];

/** True when the text names a recorded action. */
export function isAuditAction(text: string): text is AuditAction {
  return Object.hasOwn(auditActions, text);
}

/** The type of the resource that an action is about, also of one that this version does not know. */
export function resourceOf(action: string): string {
  return action.split(".", 1)[0]!;
}

/** Audited changes (contract 4.11). The part before the dot is the resource type. */
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
  "survey.quotas_replaced": "The quotas of a survey were replaced",
  "survey.fields_replaced": "The hidden fields of a survey were replaced",
  "survey.elements_ordered": "The elements of a page were put in another order",
  "element.updated": "A question was edited",
  "element.deleted": "A question that nobody had answered was deleted",
  "element.retired": "A question with answers was taken out of its survey",
  "page.updated": "Title, loop, condition, skip logic, shuffling or block of a page was changed",
  "survey.published": "A survey was published",
  "survey.respondent_erased": "A respondent of a survey was erased with its answers",
  "survey.draft_backed_up": "A survey's draft was backed up by hand",
  "survey.draft_restored": "A survey's draft was replaced by a backup or a version",
  "survey.document_replaced": "A survey's draft, fields and settings were made equal to a document",
  "survey.translated": "A survey's translation into a language was changed",
  "export.created": "An export of a survey's answers was requested",
  "export.deleted": "An export was cancelled, or its file was deleted",
  "export.downloaded": "An export's file was downloaded, at an address that the person asked for",
  "file.downloaded": "A file that a respondent had uploaded was downloaded, at an address that the person asked for",
  "distributor.created": "A distributor (survey link) was created",
  "distributor.updated": "A distributor was given another name or other settings",
  "distributor.activated": "A distributor began to collect",
  "distributor.paused": "A distributor was paused",
  "distributor.resumed": "A paused distributor goes on collecting",
  "distributor.closed": "A distributor was closed for good",
  "distributor.links_issued": "Links for one person each were issued",
  "distributor.deleted": "A distributor through which nobody had come was deleted",
  "contact.created": "A contact was created",
  "contact.updated": "A contact's fields were changed",
  "contact.unsubscribed": "A contact was unsubscribed",
  "contact.anonymized": "Everything personal of a contact was erased",
  "contact.deleted": "A contact was deleted",
  "import.created": "An import of contacts was requested",
  "responses.imported": "An import of answers was requested",
  "subscription.created": "An event subscription was created",
  "subscription.updated": "An event subscription was changed, paused or resumed",
  "subscription.secret_rotated": "The signing secret of a webhook was replaced",
  "subscription.paused": "The platform paused a webhook that kept failing",
  "subscription.disabled": "The platform disabled a webhook that takes no more deliveries",
  "subscription.deleted": "An event subscription was deleted",
  "subscription.delivery_redelivered": "An event was queued again for a webhook",
  "subscription.deliveries_redelivered": "The deliveries of a time were queued again for a webhook",
} as const satisfies Record<`${string}.${string}`, string>;

export type AuditAction = keyof typeof auditActions;

export type AuditResource = AuditAction extends `${infer Resource}.${string}` ? Resource : never;

export const auditResources = [...new Set(Object.keys(auditActions).map(resourceOf))] as AuditResource[];

export function isAuditAction(text: string): text is AuditAction {
  return Object.hasOwn(auditActions, text);
}

export function resourceOf(action: string): string {
  return action.split(".", 1)[0]!;
}

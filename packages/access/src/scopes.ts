/** Scopes (contract 4.3). A scope takes effect only if the person's role has its `power`; null: no power is needed. */
export const scopes = {
  full_access: { description: "Everything except managing event subscriptions", power: null },
  "surveys:read": { description: "Read surveys, their questions and versions", power: null },
  "surveys:write": { description: "Create, change and publish surveys", power: "edit_surveys" },
  "responses:read": { description: "Read respondents, answers and results", power: "view_results" },
  "responses:write": { description: "Start respondents and submit answers", power: "edit_surveys" },
  "contacts:read": { description: "Read contacts", power: "manage_contacts" },
  "contacts:write": { description: "Create, change, import and erase contacts", power: "manage_contacts" },
  "distribution:read": { description: "Read survey links", power: null },
  "distribution:write": { description: "Create, change, pause and close survey links", power: "edit_surveys" },
  "exports:write": { description: "Request and download exports", power: "view_results" },
  "tokens:read": { description: "List and inspect API tokens", power: null },
  "tokens:write": { description: "Create, change, rotate and revoke API tokens", power: "manage_tokens" },
  "events:read": { description: "Read event subscriptions, deliveries and the event feed", power: null },
  "events:write": { description: "Manage event subscriptions", power: "manage_webhooks" },
  "audit:read": { description: "Read the audit log", power: "manage_tokens" },
} as const satisfies Record<string, { description: string; power: Power | null }>;

export type Scope = keyof typeof scopes;

export const allScopes = Object.keys(scopes) as Scope[];

export const defaultScopes: readonly Scope[] = [
  "surveys:read",
  "responses:read",
  "contacts:read",
  "distribution:read",
  "events:read",
];

export const powers = ["manage_webhooks", "manage_tokens", "edit_surveys", "view_results", "manage_contacts"] as const;
export type Power = (typeof powers)[number];

export const builtInRoles = {
  owner: powers,
  admin: powers,
  editor: ["edit_surveys", "view_results", "manage_contacts"],
  viewer: ["view_results"],
} as const satisfies Record<string, readonly Power[]>;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

/** Adds implied scopes: `:read` to `:write`, and all but `events:write` to `full_access` (contract 4.3). */
export function expandScopes(granted: readonly Scope[]): Scope[] {
  const expanded = new Set<Scope>(granted);
  if (expanded.has("full_access")) {
    for (const scope of allScopes) if (scope !== "events:write") expanded.add(scope);
  }
  // Adding while iterating is safe: a read scope implies nothing more.
  for (const scope of expanded) {
    const read = scope.replace(":write", ":read");
    if (isScope(read)) expanded.add(read);
  }
  return [...expanded];
}

/** Returns the scopes that take effect with the powers of the person's role (contract 4.4). */
export function permittedScopes(expanded: readonly Scope[], heldPowers: readonly string[]): Scope[] {
  return expanded.filter((scope) => {
    const { power } = scopes[scope];
    return power === null || heldPowers.includes(power);
  });
}

import { allScopes, isScope, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import {
  createTokenBody,
  groupFaults,
  joinFaults,
  longestTokenName,
  parseBody,
  requireUpdates,
  shapeFaults,
  updateTokenBody,
  type CreateTokenBody,
  type Fault,
  type UpdateTokenBody,
} from "@canvass/inputs";
import { isJsonObject, parseInstant } from "@canvass/values";
import { nameFaults } from "./name-faults.ts";

const newToken = createTokenBody(allScopes);
const tokenUpdate = updateTokenBody(allScopes);

/** Parses the body of `POST /tokens`. Throws as `refuseFaults` does. */
export function readNewToken(bodyJson: string, now: Date): CreateTokenBody<Scope> {
  const body = parseBody(bodyJson);
  refuseFaults(bodyFaults(newToken, body, now));
  return body as CreateTokenBody<Scope>;
}

/** Parses the body of `PATCH /tokens/{id}`. Throws as `refuseFaults` does. */
export function readTokenUpdate(bodyJson: string, now: Date): UpdateTokenBody<Scope> {
  const body = parseBody(bodyJson);
  if (isJsonObject(body)) requireUpdates(tokenUpdate, body);
  refuseFaults(bodyFaults(tokenUpdate, body, now));
  return body as UpdateTokenBody<Scope>;
}

function bodyFaults(schema: typeof newToken | typeof tokenUpdate, body: unknown, now: Date): Fault[] {
  const { name, scopes, expires_at: expiry } = (body ?? {}) as Record<string, unknown>;
  const others = [
    ...(typeof name === "string" ? tokenNameFaults(name) : []),
    ...(Array.isArray(scopes) ? scopeFaults(scopes) : []),
    ...(expiry === undefined || expiry === null ? [] : expiryFaults(expiry, now)),
  ];
  return joinFaults(shapeFaults(schema, body), others);
}

export function tokenNameFaults(name: string): Fault[] {
  return nameFaults("name", name, longestTokenName);
}

export function scopeFaults(names: readonly unknown[]): Fault[] {
  if (names.length === 0) return [{ path: "scopes", message: "At least one scope is required." }];
  const unknown = new Set(names.filter((name) => typeof name !== "string" || !isScope(name)));
  return [...unknown].map((name) => ({
    path: "scopes",
    message: `${shortened(JSON.stringify(name))} is not a scope.`,
  }));
}

export function expiryFaults(expiry: unknown, now: Date): Fault[] {
  const expiresAt = typeof expiry === "string" ? parseInstant(expiry) : null;
  if (!expiresAt) return [{ path: "expires_at", message: "must be a date-time such as 2026-01-31T09:00:00Z, or null" }];
  return expiresAt > now ? [] : [{ path: "expires_at", message: "The expiry must lie in the future." }];
}

/** Removes duplicates and keeps the order. Requires that `scopeFaults` found none. */
export function namedScopes(names: readonly string[]): Scope[] {
  return [...new Set(names.filter(isScope))];
}

/** Throws 400 with every fault by field; other operations respond with 422 (contract 2.4). */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new AppError("invalid_request", groupFaults(faults));
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

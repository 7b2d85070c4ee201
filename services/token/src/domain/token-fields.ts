import { allScopes, isScope, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import {
  createTokenBody,
  groupViolations,
  joinViolations,
  longestTokenName,
  parseBody,
  requireUpdates,
  shapeViolations,
  updateTokenBody,
  type CreateTokenBody,
  type Violation,
  type UpdateTokenBody,
} from "@canvass/inputs";
import { isJsonObject, parseInstant } from "@canvass/values";
import { nameViolations } from "./name-violations.ts";

const newToken = createTokenBody(allScopes);
const tokenUpdate = updateTokenBody(allScopes);

export function readNewToken(bodyJson: string, now: Date): CreateTokenBody<Scope> {
  const body = parseBody(bodyJson);
  refuseTokenViolations(bodyViolations(newToken, body, now));
  return body as CreateTokenBody<Scope>;
}

export function readTokenUpdate(bodyJson: string, now: Date): UpdateTokenBody<Scope> {
  const body = parseBody(bodyJson);
  if (isJsonObject(body)) requireUpdates(tokenUpdate, body);
  refuseTokenViolations(bodyViolations(tokenUpdate, body, now));
  return body as UpdateTokenBody<Scope>;
}

function bodyViolations(schema: typeof newToken | typeof tokenUpdate, body: unknown, now: Date): Violation[] {
  const { name, scopes, expires_at: expiry } = (body ?? {}) as Record<string, unknown>;
  const others = [
    ...(typeof name === "string" ? tokenNameViolations(name) : []),
    ...(Array.isArray(scopes) ? scopeViolations(scopes) : []),
    ...(expiry === undefined || expiry === null ? [] : expiryViolations(expiry, now)),
  ];
  return joinViolations(shapeViolations(schema, body), others);
}

export function tokenNameViolations(name: string): Violation[] {
  return nameViolations("name", name, longestTokenName);
}

export function scopeViolations(names: readonly unknown[]): Violation[] {
  if (names.length === 0) return [{ path: "scopes", message: "must have at least one scope" }];
  const unknown = new Set(names.filter((name) => typeof name !== "string" || !isScope(name)));
  return [...unknown].map((name) => ({
    path: "scopes",
    message: `must not have ${shortened(JSON.stringify(name))}, which is not a scope`,
  }));
}

export function expiryViolations(expiry: unknown, now: Date): Violation[] {
  const expiresAt = typeof expiry === "string" ? parseInstant(expiry) : null;
  if (!expiresAt) return [{ path: "expires_at", message: "must be a date-time such as 2026-01-31T09:00:00Z, or null" }];
  return expiresAt > now ? [] : [{ path: "expires_at", message: "must lie in the future" }];
}

/** Returns the names that are scopes, each once. */
export function knownScopes(names: readonly string[]): Scope[] {
  return [...new Set(names.filter(isScope))];
}

/** Throws 400 with every violation by field; other operations respond with 422 (contract 2.4). */
export function refuseTokenViolations(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new AppError("invalid_request", groupViolations(violations));
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

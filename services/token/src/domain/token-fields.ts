import { isScope, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { groupFaults, longestTokenName, type Fault } from "@canvass/inputs";
import { nameFaults } from "./name-faults.ts";

/** What is wrong with a token's name. */
export function tokenNameFaults(name: string): Fault[] {
  return nameFaults("name", name, longestTokenName);
}

/** What is wrong with a list of scopes: every name that is no scope, and an empty list. */
export function scopeFaults(names: readonly string[]): Fault[] {
  if (names.length === 0) return [{ path: "scopes", message: "At least one scope is required." }];
  const unknown = new Set(names.filter((name) => !isScope(name)));
  return [...unknown].map((name) => ({
    path: "scopes",
    message: `${JSON.stringify(shortened(name))} is not a scope.`,
  }));
}

/** What is wrong with an expiry: it has to lie ahead. */
export function expiryFaults(expiresAt: Date, now: Date): Fault[] {
  return expiresAt > now ? [] : [{ path: "expires_at", message: "The expiry must lie in the future." }];
}

/** The scopes named, each once, in the order given. Call it after `scopeFaults` found nothing. */
export function namedScopes(names: readonly string[]): Scope[] {
  return [...new Set(names.filter(isScope))];
}

/** Token operations answer 400 where others answer 422 (contract 2.4), with every fault by field. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new AppError("invalid_request", groupFaults(faults));
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

import { isScope, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { groupFaults, longestTokenName, type Fault } from "@canvass/inputs";
import { nameFaults } from "./name-faults.ts";

export function tokenNameFaults(name: string): Fault[] {
  return nameFaults("name", name, longestTokenName);
}

export function scopeFaults(names: readonly string[]): Fault[] {
  if (names.length === 0) return [{ path: "scopes", message: "At least one scope is required." }];
  const unknown = new Set(names.filter((name) => !isScope(name)));
  return [...unknown].map((name) => ({
    path: "scopes",
    message: `${JSON.stringify(shortened(name))} is not a scope.`,
  }));
}

export function expiryFaults(expiresAt: Date, now: Date): Fault[] {
  return expiresAt > now ? [] : [{ path: "expires_at", message: "The expiry must lie in the future." }];
}

/** Scopes without duplicates, in the order given. Requires that `scopeFaults` found none. */
export function namedScopes(names: readonly string[]): Scope[] {
  return [...new Set(names.filter(isScope))];
}

/** Throws 400 with every fault by field; other operations answer 422 (contract 2.4). */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new AppError("invalid_request", groupFaults(faults));
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

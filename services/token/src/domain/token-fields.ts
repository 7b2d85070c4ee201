import { isScope, type Scope } from "@canvass/access";
import { AppError, groupFaults, type Fault } from "@canvass/errors";

const maxNameLength = 100;
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** What is wrong with a token's name: 1 to 100 characters, not blank, nothing invisible that a list could not show. */
export function nameFaults(name: string): Fault[] {
  const fault = (message: string) => [{ path: "name", message }];
  if (name.trim() === "") return fault("A name is required.");
  // Counted as a person counts them, so a name of emoji is not cut short by its encoding.
  if (Array.from(name).length > maxNameLength) return fault(`A name has at most ${maxNameLength} characters.`);
  return controlCharacter.test(name) ? fault("A name holds no control characters.") : [];
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

/** Token operations answer 400 where others answer 422 (spec 7.2), with every fault by field. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new AppError("invalid_request", groupFaults(faults));
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

import { isPlan, plans } from "@canvass/access";
import type { Violation } from "@canvass/inputs";
import { isMailAddress } from "./mail-address.ts";
import { nameViolations } from "./name-violations.ts";

const longestName = 200;

/** Violations of the name of a workspace, a person or a role. */
export function nameFieldViolations(path: string, text: string): Violation[] {
  return nameViolations(path, text, longestName);
}

/** Requires an address in the form that `emailKey` returns. */
export function emailViolations(path: string, email: string): Violation[] {
  return isMailAddress(email) ? [] : [{ path, message: "An e-mail address is required." }];
}

/** Returns the form of an address that identifies its person: without spaces around, in lower case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function planViolations(plan: string): Violation[] {
  return isPlan(plan) ? [] : [{ path: "plan", message: `Use one of ${Object.keys(plans).join(", ")}.` }];
}

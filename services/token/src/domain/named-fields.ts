import { isPlan, plans } from "@canvass/access";
import type { Fault } from "@canvass/inputs";
import { isMailAddress } from "./mail-address.ts";
import { nameFaults } from "./name-faults.ts";

const longestName = 200;

export function textFaults(path: string, text: string): Fault[] {
  return nameFaults(path, text, longestName);
}

/** Returns the fault of an address in the form of `emailKey`. */
export function emailFaults(path: string, email: string): Fault[] {
  return isMailAddress(email) ? [] : [{ path, message: "An e-mail address is required." }];
}

/** Normalizes an address, so that equal addresses are equal texts. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function planFaults(plan: string): Fault[] {
  return isPlan(plan) ? [] : [{ path: "plan", message: `Use one of ${Object.keys(plans).join(", ")}.` }];
}

import { isPlan, plans } from "@canvass/access";
import type { Fault } from "@canvass/inputs";
import { isMailAddress } from "@canvass/mail";
import { nameFaults } from "./name-faults.ts";

const longestName = 200;

/** What is wrong with a name of a workspace, person or role. */
export function textFaults(path: string, text: string): Fault[] {
  return nameFaults(path, text, longestName);
}

/** What is wrong with an e-mail address, given as `emailKey` makes it: mail can be sent to it. */
export function emailFaults(path: string, email: string): Fault[] {
  return isMailAddress(email) ? [] : [{ path, message: "An e-mail address is required." }];
}

/** An address in the form that tells people apart. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** What is wrong with the name of a plan. */
export function planFaults(plan: string): Fault[] {
  return isPlan(plan) ? [] : [{ path: "plan", message: `Use one of ${Object.keys(plans).join(", ")}.` }];
}

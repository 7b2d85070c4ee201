import { isPlan, plans } from "@canvass/access";
import type { Fault } from "@canvass/errors";

const maxNameLength = 200;
const maxEmailLength = 254;
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0000-\u001f\u007f]/;

/** What is wrong with a name of a workspace, person or role: 1 to 200 characters, not blank, nothing invisible. */
export function textFaults(path: string, text: string): Fault[] {
  const fits = text.trim() !== "" && Array.from(text).length <= maxNameLength && !controlCharacter.test(text);
  return fits ? [] : [{ path, message: `1 to ${maxNameLength} characters are required.` }];
}

/** What is wrong with an e-mail address, given as `emailKey` makes it. */
export function emailFaults(path: string, email: string): Fault[] {
  const fits = email.length <= maxEmailLength && /^[^\s@]+@[^\s@]+$/.test(email) && !controlCharacter.test(email);
  return fits ? [] : [{ path, message: "An e-mail address is required." }];
}

/** An address in the form that tells people apart. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** What is wrong with the name of a plan. */
export function planFaults(plan: string): Fault[] {
  return isPlan(plan) ? [] : [{ path: "plan", message: `Use one of ${Object.keys(plans).join(", ")}.` }];
}

import type { Plan } from "@canvass/access";
import { type Violation, validationFailed } from "@canvass/inputs";
import { isTimeZone } from "@canvass/values";
import { emailViolations, emailKey, planViolations, nameFieldViolations } from "./named-fields.ts";

export interface NewWorkspace {
  name: string;
  plan: Plan;
  ownerName: string;
  /** In the form of `emailKey`; identifies the person. */
  ownerEmail: string;
  timeZone: string;
}

export function validateNewWorkspace(given: Record<keyof NewWorkspace, string>): NewWorkspace {
  const timeZone = given.timeZone || "UTC";
  const ownerEmail = emailKey(given.ownerEmail);
  const violations: Violation[] = [
    ...nameFieldViolations("name", given.name),
    ...planViolations(given.plan),
    ...nameFieldViolations("owner_name", given.ownerName),
    ...emailViolations("owner_email", ownerEmail),
    ...(isTimeZone(timeZone) ? [] : [{ path: "time_zone", message: "Use an IANA time zone such as Europe/Berlin." }]),
  ];
  if (violations.length > 0) throw validationFailed(violations);
  return {
    name: given.name.trim(),
    plan: given.plan as Plan,
    ownerName: given.ownerName.trim(),
    ownerEmail,
    timeZone,
  };
}

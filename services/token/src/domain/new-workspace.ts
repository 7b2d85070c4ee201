import type { Plan } from "@canvass/access";
import { type Fault, isTimeZone, validationFailed } from "@canvass/inputs";
import { emailFaults, emailKey, planFaults, textFaults } from "./named-fields.ts";

/** A workspace and its first owner, as an operator names them. */
export interface NewWorkspace {
  name: string;
  plan: Plan;
  ownerName: string;
  /** Lower case: people are told apart by it. */
  ownerEmail: string;
  timeZone: string;
}

/** Judges what an operator sent, all faults at once. An empty time zone means UTC. Throws `validation_failed`. */
export function judgeNewWorkspace(given: Record<keyof NewWorkspace, string>): NewWorkspace {
  const timeZone = given.timeZone || "UTC";
  const ownerEmail = emailKey(given.ownerEmail);
  const faults: Fault[] = [
    ...textFaults("name", given.name),
    ...planFaults(given.plan),
    ...textFaults("owner_name", given.ownerName),
    ...emailFaults("owner_email", ownerEmail),
    ...(isTimeZone(timeZone) ? [] : [{ path: "time_zone", message: "Use an IANA time zone such as Europe/Berlin." }]),
  ];
  if (faults.length > 0) throw validationFailed(faults);
  return {
    name: given.name.trim(),
    plan: given.plan as Plan,
    ownerName: given.ownerName.trim(),
    ownerEmail,
    timeZone,
  };
}

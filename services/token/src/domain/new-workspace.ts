import type { Plan } from "@canvass/access";
import { type Fault, validationFailed } from "@canvass/inputs";
import { isTimeZone } from "@canvass/values";
import { emailFaults, emailKey, planFaults, textFaults } from "./named-fields.ts";

export interface NewWorkspace {
  name: string;
  plan: Plan;
  ownerName: string;
  /** Lower case: identifies the person. */
  ownerEmail: string;
  timeZone: string;
}

/** Validates a new workspace. An empty time zone means UTC. Throws `validation_failed` with every fault. */
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

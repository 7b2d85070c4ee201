import { dayIn, startOfDay } from "@canvass/values";

const quarterHourMs = 15 * 60 * 1000;
const dayMs = 86_400_000;

/** Returns the time to store: under full anonymity midnight UTC of the day in the workspace's zone (contract 7.6). */
export function recordedTime(at: Date, isAnonymous: boolean, timeZone: string): Date {
  return isAnonymous ? new Date(`${dayIn(timeZone, at)}T00:00:00.000Z`) : at;
}

/** Returns a completion time as ISO 8601 date-time, or only the date under full anonymity. */
export function shownCompletion(recorded: Date, isAnonymous: boolean): string {
  return isAnonymous ? recordedDay(recorded) : recorded.toISOString();
}

/** Returns the day of a time stored under full anonymity, in the workspace's time zone. */
export function recordedDay(recorded: Date): string {
  return recorded.toISOString().slice(0, 10);
}

/** Whether an anonymous respondent's time is stored as a day. Older processes stored exact times. */
export function isRecordedDay(recorded: Date): boolean {
  return recorded.getTime() % dayMs === 0;
}

/** Returns the start time to show. Exact times from older processes are cut to their day. */
export function shownStart(recorded: Date, isAnonymous: boolean): Date {
  return isAnonymous ? new Date(recordedDay(recorded)) : recorded;
}

/** Returns the quarter hour that counts a completion. Under full anonymity it is the first one of the local day. */
export function completionSlot(at: Date, isAnonymous: boolean, timeZone: string): Date {
  return quarterHour(isAnonymous ? startOfDay(timeZone, dayIn(timeZone, at)) : at);
}

export function quarterHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / quarterHourMs) * quarterHourMs);
}

/** Returns when a respondent was last seen, by which its sessions detect each other. Undefined under full anonymity. */
export function shownSeen({ isAnonymous, lastSeenAt }: { isAnonymous: boolean; lastSeenAt: Date }): Date | undefined {
  return isAnonymous ? undefined : lastSeenAt;
}

import { dayIn, startOfDay } from "@canvass/values";

const quarterHourMs = 15 * 60 * 1000;
const dayMs = 86_400_000;

/** Returns the time to store: under full anonymity midnight UTC of the day in the workspace's zone (contract 7.6). */
export function recordedTime(at: Date, isAnonymous: boolean, timeZone: string): Date {
  return isAnonymous ? new Date(`${dayIn(timeZone, at)}T00:00:00.000Z`) : at;
}

export function shownCompletion(recorded: Date, isAnonymous: boolean): string {
  return isAnonymous ? recordedDay(recorded) : recorded.toISOString();
}

export function recordedDay(recorded: Date): string {
  return recorded.toISOString().slice(0, 10);
}

/** Whether an anonymous respondent's time is stored as a day. Older processes stored exact times. */
export function isRecordedDay(recorded: Date): boolean {
  return recorded.getTime() % dayMs === 0;
}

export function shownStart(recorded: Date, isAnonymous: boolean): Date {
  return isAnonymous ? new Date(recordedDay(recorded)) : recorded;
}

export function completionSlot(at: Date, isAnonymous: boolean, timeZone: string): Date {
  return quarterHour(isAnonymous ? startOfDay(timeZone, dayIn(timeZone, at)) : at);
}

export function quarterHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / quarterHourMs) * quarterHourMs);
}

/** The sessions of a respondent detect each other by this time. */
export function shownSeen({ isAnonymous, lastSeenAt }: { isAnonymous: boolean; lastSeenAt: Date }): Date | undefined {
  return isAnonymous ? undefined : lastSeenAt;
}

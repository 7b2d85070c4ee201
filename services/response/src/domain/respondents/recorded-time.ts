import { dayIn, startOfDay } from "@canvass/values";

const quarterHourMs = 15 * 60 * 1000;
const dayMs = 86_400_000;

/**
 * The time under which something is kept. On a survey with full anonymity only the day is (contract 7.6): midnight
 * UTC of the day it is in the workspace's time zone.
 */
export function recordedTime(at: Date, isAnonymous: boolean, timeZone: string): Date {
  return isAnonymous ? new Date(`${dayIn(timeZone, at)}T00:00:00.000Z`) : at;
}

/** How a completion time is shown: ISO 8601 date-time, or only the date with full anonymity. */
export function shownCompletion(recorded: Date, isAnonymous: boolean): string {
  return isAnonymous ? recordedDay(recorded) : recorded.toISOString();
}

/** The day a time with full anonymity was recorded on, in the workspace's time zone. */
export function recordedDay(recorded: Date): string {
  return recorded.toISOString().slice(0, 10);
}

/** Whether the time of an anonymous respondent is kept as its day, and not as the moment that older processes kept. */
export function isRecordedDay(recorded: Date): boolean {
  return recorded.getTime() % dayMs === 0;
}

/** How a start is shown. Older processes left moments where days are kept now, until these are purged. */
export function shownStart(recorded: Date, isAnonymous: boolean): Date {
  return isAnonymous ? new Date(recordedDay(recorded)) : recorded;
}

/**
 * The quarter of an hour a completion is counted in. With full anonymity it is the first one of the local day, which
 * tells the day and nothing more.
 */
export function completionSlot(at: Date, isAnonymous: boolean, timeZone: string): Date {
  return quarterHour(isAnonymous ? startOfDay(timeZone, dayIn(timeZone, at)) : at);
}

export function quarterHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / quarterHourMs) * quarterHourMs);
}

/** When a respondent was last seen, as its sessions learn it, to find out about each other; undefined with full anonymity. */
export function shownSeen({ isAnonymous, lastSeenAt }: { isAnonymous: boolean; lastSeenAt: Date }): Date | undefined {
  return isAnonymous ? undefined : lastSeenAt;
}

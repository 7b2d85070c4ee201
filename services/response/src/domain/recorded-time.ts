import { dayIn, startOfDay } from "@canvass/inputs";

const quarterHourMs = 15 * 60 * 1000;

/**
 * The time under which something is kept. On a survey with full anonymity only the day is (contract 7.6): midnight
 * UTC of the day it is in the workspace's time zone.
 */
export function recordedTime(at: Date, isAnonymous: boolean, timeZone: string): Date {
  return isAnonymous ? new Date(`${dayIn(timeZone, at)}T00:00:00.000Z`) : at;
}

/** How a completion time is shown: ISO 8601 date-time, or only the date with full anonymity. */
export function shownCompletion(recorded: Date, isAnonymous: boolean): string {
  const text = recorded.toISOString();
  return isAnonymous ? text.slice(0, 10) : text;
}

/**
 * The quarter of an hour a completion is counted in. With full anonymity it is the first one of the local day, which
 * tells the day and nothing more.
 */
export function completionSlot(at: Date, isAnonymous: boolean, timeZone: string): Date {
  const counted = isAnonymous ? startOfDay(timeZone, dayIn(timeZone, at)) : at;
  return new Date(Math.floor(counted.getTime() / quarterHourMs) * quarterHourMs);
}

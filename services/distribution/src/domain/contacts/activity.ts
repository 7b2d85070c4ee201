import { firstIdOf } from "@canvass/values";

export type ActivityKind =
  | "created"
  | "updated"
  | "imported"
  | "unsubscribed"
  | "anonymized"
  | "link_issued"
  | "link_opened"
  | "respondent_started"
  | "respondent_completed";

/** Something that happened to a contact, without any value of it. */
export interface Activity {
  activityId: string;
  kind: ActivityKind;
  at: Date;
  /** Names only. */
  changedFields: readonly string[];
  importId: string;
  /** Of a personal link. */
  distributorId: string;
}

/** What happened to a contact elsewhere, as it is listed. */
export interface ListedActivity extends Activity {
  surveyId: string;
  respondentId: string;
}

/** Of an id: eight characters that tell its time. */
const timeLength = 8;

/** Where a step of a respondent stands among activities, which stand in the order of their ids. */
export function placeOfStep({ at, stepId }: { at: Date; stepId: string }): string {
  return firstIdOf(at).slice(0, timeLength) + stepId;
}

/** The rest of a place, behind its time. */
export function stepOfPlace(place: string): string {
  return place.slice(timeLength);
}

/** Newest first, each at its place. */
export function mergeActivities(
  own: readonly ListedActivity[],
  elsewhere: readonly ListedActivity[],
): readonly ListedActivity[] {
  return [...own, ...elsewhere].sort((a, b) => (a.activityId < b.activityId ? 1 : -1));
}

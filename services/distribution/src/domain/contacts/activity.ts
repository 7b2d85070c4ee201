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

/** An event in a contact's history. Contains no values of the contact. */
export interface Activity {
  activityId: string;
  kind: ActivityKind;
  at: Date;
  changedFields: readonly string[];
  importId: string;
  distributorId: string;
}

/** An activity as listed, including those that the response service stores. */
export interface ListedActivity extends Activity {
  surveyId: string;
  respondentId: string;
}

/** Length of the time prefix of an id. */
const timeLength = 8;

/** Returns the sort key of a respondent's step among activities, which are ordered by id. */
export function placeOfStep({ at, stepId }: { at: Date; stepId: string }): string {
  return firstIdOf(at).slice(0, timeLength) + stepId;
}

export function stepOfPlace(place: string): string {
  return place.slice(timeLength);
}

export function mergeActivities(
  own: readonly ListedActivity[],
  elsewhere: readonly ListedActivity[],
): readonly ListedActivity[] {
  return [...own, ...elsewhere].sort((a, b) => (a.activityId < b.activityId ? 1 : -1));
}

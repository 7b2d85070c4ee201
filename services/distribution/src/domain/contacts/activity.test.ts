import { newId, timeOfId } from "@canvass/values";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeActivities, placeOfStep, stepOfPlace, type ListedActivity } from "./activity.ts";

const listed = (activityId: string): ListedActivity => ({
  activityId,
  kind: "updated",
  at: timeOfId(activityId),
  changedFields: [],
  importId: "",
  distributorId: "",
  surveyId: "",
  respondentId: "",
});

const moments = fc.date({ min: new Date("2021-01-01"), max: new Date("2099-01-01"), noInvalidDate: true });

test("the place of a step has its time, and gives its id back", () => {
  fc.assert(
    fc.property(moments, moments, (started, at) => {
      const stepId = `${newId(started)}1`;
      const place = placeOfStep({ at, stepId });
      expect([timeOfId(place), stepOfPlace(place)]).toEqual([at, stepId]);
    }),
  );
});

test("activities of both sources are merged by time, newest first", () => {
  // At midnight `newId` draws a random time of the day.
  const timed = moments.filter((at) => at.getTime() % 86_400_000 !== 0);
  fc.assert(
    fc.property(fc.array(timed), fc.array(timed), (own, elsewhere) => {
      const steps = elsewhere.map((at) => listed(placeOfStep({ at, stepId: `${newId(at)}0` })));
      const times = mergeActivities(
        own.map((at) => listed(newId(at))),
        steps,
      ).map(({ at }) => at.getTime());
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    }),
  );
});

import { create } from "@bufbuild/protobuf";
import { SurveySchema } from "@canvass/proto/survey";
import { expect, test } from "vitest";
import { createSurveyCache, estimateBytes } from "./survey-cache.ts";

const kept = { survey: create(SurveySchema, { name: "Some", settingsJson: "{}" }), state: "1" };
const room = (surveys: number) => surveys * (estimateBytes(kept.survey) + 1);

test("a workspace with many surveys forgets its own, and no other's", () => {
  const surveys = createSurveyCache({ totalBytes: room(10), workspaceBytes: room(3) });
  surveys.keep({ workspaceId: "quiet", surveyId: "s" }, kept);
  for (let index = 0; index < 100; index += 1) surveys.keep({ workspaceId: "busy", surveyId: `s${index}` }, kept);
  expect(surveys.find({ workspaceId: "quiet", surveyId: "s" })).toBe(kept);
  const left = Array.from({ length: 100 }, (_, index) => surveys.find({ workspaceId: "busy", surveyId: `s${index}` }));
  expect(left.flatMap((one, index) => (one ? [index] : []))).toEqual([97, 98, 99]);
});

test("all workspaces together have a bound, and those that read last stay", () => {
  const surveys = createSurveyCache({ totalBytes: room(10), workspaceBytes: room(3) });
  const of = (index: number) => ({ workspaceId: `w${index}`, surveyId: "s" });
  for (let index = 0; index < 100; index += 1) surveys.keep(of(index), kept);
  const left = Array.from({ length: 100 }, (_, index) => surveys.find(of(index)));
  expect(left.flatMap((one, index) => (one ? [index] : []))).toEqual([90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
});

test("one workspace's survey is nobody else's, and one too large for all is not kept", () => {
  const surveys = createSurveyCache({ totalBytes: room(10), workspaceBytes: room(3) });
  surveys.keep({ workspaceId: "w1", surveyId: "s" }, kept);
  expect(surveys.find({ workspaceId: "w2", surveyId: "s" })).toBeUndefined();
  const large = { ...kept, survey: { ...kept.survey, description: "x".repeat(room(3)) } };
  surveys.keep({ workspaceId: "w1", surveyId: "large" }, large);
  expect(surveys.find({ workspaceId: "w1", surveyId: "large" })).toBeUndefined();
  expect(surveys.find({ workspaceId: "w1", surveyId: "s" })).toBe(kept);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { refusal, signedPerson, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

let fixture: SurveyFixture;
beforeAll(async () => {
  fixture = await startSurveyFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

test("each reference gets its own result or error, in order, and none spoils another", async () => {
  const [mine, other] = [await fixture.create({ name: "Mine" }), await fixture.create({ name: "Other" })];
  const me = signedPerson();
  const stranger = signedPerson({ workspaceId: "workspace0000002" });
  const surveys = [
    { caller: me, surveyId: mine.surveyId },
    { caller: `${me}x`, surveyId: mine.surveyId },
    { caller: stranger, surveyId: mine.surveyId },
    { caller: me, surveyId: "0000000000000000" },
    { caller: me, surveyId: "\0" },
    { caller: me, surveyId: "' OR 1=1 --" },
    { caller: me, surveyId: "x".repeat(100_000) },
    { caller: me, surveyId: other.surveyId },
    { caller: me, surveyId: mine.surveyId },
  ];
  const { results } = await fixture.client.batchGetSurveys({ surveys });
  expect(results.map(({ outcome }) => (outcome.case === "survey" ? outcome.value.name : outcome.value?.code))).toEqual([
    "Mine",
    "unauthorized",
    "survey_not_found",
    "survey_not_found",
    "survey_not_found",
    "survey_not_found",
    "survey_not_found",
    "Other",
    "Mine",
  ]);
  expect(results[2]).toEqual(results[3]);
});

test("two workspaces in one batch each read their own", async () => {
  const callers = ["workspace0000003", "workspace0000004"].map((workspaceId) => signedPerson({ workspaceId }));
  const created = await Promise.all(
    callers.map((signedCaller, index) => fixture.create({ name: `W${index}` }, { signedCaller })),
  );
  const surveys = callers.flatMap((caller) => created.map(({ surveyId }) => ({ caller, surveyId })));
  const { results } = await fixture.client.batchGetSurveys({ surveys });
  expect(results.map(({ outcome }) => outcome.case)).toEqual(["survey", "error", "error", "survey"]);
});

test("five hundred are read in one call, more are refused, none is fine", async () => {
  const { surveyId } = await fixture.create({ name: "Many" });
  const caller = signedPerson();
  const batch = (size: number) => ({ surveys: Array.from({ length: size }, () => ({ caller, surveyId })) });
  const { results } = await fixture.client.batchGetSurveys(batch(500));
  expect(results.every(({ outcome }) => outcome.case === "survey")).toBe(true);
  expect(await refusal(fixture.client.batchGetSurveys(batch(501)))).toMatchObject({ code: "invalid_request" });
  expect((await fixture.client.batchGetSurveys({})).results).toEqual([]);
});

test("a change is read at once", async () => {
  const created = await fixture.create({ name: "v1" });
  for (let version = 2; version < 6; version += 1) {
    const updated = await fixture.patch(created.surveyId, "*", { name: `v${version}` });
    expect(await fixture.read(created.surveyId)).toEqual(updated);
  }
});

import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { startSurveyFixture } from "./survey-fixture.ts";

const workspaceId = "workspace0000001";

const fixture = await sharedByFile(startSurveyFixture());

const matches = async (surveyId: string, password: string, workspace = workspaceId) =>
  (await fixture.client.checkSurveyPassword({ workspaceId: workspace, surveyId, password })).matches;

test("only the survey's own password matches, and no password matches a survey without one", async () => {
  const { surveyId } = await fixture.create({ name: "Closed", settings: { access: { password: "sesame" } } });
  const open = await fixture.create({ name: "Open" });
  expect(await matches(surveyId, "sesame")).toBe(true);
  expect(await matches(surveyId, "Sesame")).toBe(false);
  expect(await matches(surveyId, "")).toBe(false);
  expect(await matches(surveyId, "sesame", "workspace0000002")).toBe(false);
  expect(await matches(open.surveyId, "")).toBe(false);
  expect(await matches("no id", "sesame")).toBe(false);
});

test("guesses at one survey wait for each other, too many are refused", async () => {
  const { surveyId } = await fixture.create({ name: "Closed", settings: { access: { password: "sesame" } } });
  const guesses = Promise.allSettled(Array.from({ length: 60 }, (_, guess) => matches(surveyId, `guess ${guess}`)));
  const settled = await guesses;
  const refused = settled.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
  expect(new Set(refused)).toEqual(new Set(["service_unavailable"]));
  expect(settled.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(20);
});

test("a public survey has its names and collecting state, without the password", async () => {
  const settings = { access: { password: "sesame" }, display: { theme: "dark" } };
  const { surveyId } = await fixture.create({ name: "Lunch", description: "How was it?", language: "de", settings });
  const { collection, ...names } = await fixture.client.getPublicSurvey({ workspaceId, surveyId });
  expect(names).toMatchObject({ name: "Lunch", description: "How was it?", language: "de" });
  expect(collection).toMatchObject({ found: true, active: false, versionId: "", hasPassword: true });
  expect(JSON.parse(collection!.settingsJson)).toMatchObject({ display: { theme: "dark" } });
  expect(collection!.settingsJson).not.toContain("scrypt");
  const surveys = [{ workspaceId, surveyId }];
  expect((await fixture.client.batchGetCollections({ surveys })).collections).toMatchObject([{ hasPassword: true }]);
  const absent = await fixture.client.getPublicSurvey({ workspaceId: "workspace0000002", surveyId });
  expect(absent.collection?.found).toBe(false);
});

test("settings that cannot be read are the error of their survey alone", async () => {
  const [broken, good] = [await fixture.create({ name: "Broken" }), await fixture.create({ name: "Good" })];
  await fixture.sql("UPDATE surveys SET settings = 'null' WHERE survey_id = $1", [broken.surveyId]);
  const surveys = [broken, good, broken].map(({ surveyId }) => ({ workspaceId, surveyId }));
  const { collections } = await fixture.client.batchGetCollections({ surveys });
  const error = { code: "internal_error" };
  expect(collections).toMatchObject([{ found: false, error }, { found: true }, { found: false, error }]);
  expect(collections[1]!.error).toBeUndefined();
});

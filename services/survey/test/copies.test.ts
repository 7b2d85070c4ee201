import { callOptions, type CallContext } from "@canvass/rpc";
import { auditEntries } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const as = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });
const elsewhere = { workspaceId: "b".repeat(16) };

async function copying(surveyId: string, body: object = {}, target = "", context?: CallContext) {
  const request = { surveyId, bodyJson: JSON.stringify(body), targetCaller: target };
  return (await fixture.client.copySurvey(request, as(context))).survey!;
}

const documentOf = async (surveyId: string, context?: CallContext) =>
  JSON.parse((await fixture.client.getDocument({ surveyId }, as(context))).documentJson) as Record<string, unknown>;

const secretOf = async (surveyId: string) => {
  const rows = await fixture.sql("SELECT settings #>> '{access,password}' AS hash FROM surveys WHERE survey_id = $1", [
    surveyId,
  ]);
  return (rows as { hash: string | null }[])[0]!.hash;
};

const countSurveys = async () => (await fixture.sql("SELECT count(*)::int4 AS n FROM surveys")) as unknown;

const input = {
  name: "Lunch",
  language: "de",
  settings: { display: { theme: "dark" }, access: { password: "sesame" } },
  questions: [
    { type: "multiple_choice", name: "dish", text: "Which?", choices: [{ text: "Soup", code: "1" }, "Salad"] },
    { type: "matrix", text: "How?", rows: ["r"], columns: ["c", "d"] },
  ],
};

test("a copy has an equal document, new ids, the same keys and the same password", async () => {
  const { surveyId } = await fixture.create(input);
  const copy = await copying(surveyId);
  expect(copy).toMatchObject({ name: "Lunch", language: "de", questionCount: 2, active: false });
  expect(copy.surveyId).not.toBe(surveyId);
  expect(await documentOf(copy.surveyId)).toEqual(await documentOf(surveyId));
  const hash = await secretOf(surveyId);
  expect(hash).toMatch(/^\$?\w/);
  expect(await secretOf(copy.surveyId)).toBe(hash);
  expect(copy.settingsJson).not.toContain(hash);
  const again = await copying(copy.surveyId, { name: "Dinner" });
  expect(await documentOf(again.surveyId)).toEqual({ ...(await documentOf(surveyId)), name: "Dinner" });
  const ids = await fixture.sql("SELECT element_id AS id FROM elements WHERE survey_id = ANY($1::text[])", [
    [surveyId, copy.surveyId, again.surveyId],
  ]);
  expect(new Set(ids.map((row) => (row as { id: string }).id)).size).toBe(6);
});

test("a copy without translations has its texts in the survey's language, and offers the same languages", async () => {
  const translated = (text: string) => ({ translations: { en: { text } } });
  const men = { element: "likes", operator: "equals", value: true };
  const elements = [{ key: "likes", type: "yes_no", text: "Gut?", ...translated("Good?") }];
  const document = {
    name: "Essen",
    language: "de",
    settings: { locale: { languages: ["en"] } },
    translations: { en: { name: "Lunch" } },
    quotas: [
      { name: "a", when: men, limit: 1, onFull: "message", message: "Voll", translations: { en: { message: "Full" } } },
    ],
    pages: [{ key: "one", title: "Seite", translations: { en: { title: "Page" } }, elements }],
  };
  const { survey } = await fixture.client.importSurvey({ bodyJson: JSON.stringify(document) }, as());
  const original = await documentOf(survey!.surveyId);
  const whole = await documentOf((await copying(survey!.surveyId)).surveyId);
  expect(whole).toEqual(original);
  const copy = await documentOf((await copying(survey!.surveyId, { includeTranslations: false })).surveyId);
  expect(JSON.stringify(original)).toContain('"translations"');
  const isTranslation = (name: string, value: unknown) => (name === "translations" ? undefined : value);
  expect(copy).toEqual(JSON.parse(JSON.stringify(original, isTranslation)));
});

test("a version is copied as published, with the current settings", async () => {
  const { surveyId } = await fixture.create(input);
  await fixture.publish(surveyId);
  const published = await documentOf(surveyId);
  await fixture.add(surveyId, { questions: [{ type: "nps", text: "-" }] });
  const copy = await copying(surveyId, { version: 1 });
  expect(await documentOf(copy.surveyId)).toEqual(published);
  expect((await copying(surveyId)).questionCount).toBe(3);
  expect(await refusal(copying(surveyId, { version: 2 }))).toMatchObject({ code: "version_not_found" });
});

test("a copy in another workspace belongs to that one, has no password, and is audited there", async () => {
  const { surveyId } = await fixture.create(input);
  const there = signedPerson(elsewhere);
  const copy = await copying(surveyId, { name: "There" }, there);
  expect(await secretOf(copy.surveyId)).toBeNull();
  expect(await refusal(documentOf(copy.surveyId))).toMatchObject({ code: "survey_not_found" });
  const { settings: _, ...document } = await documentOf(copy.surveyId, { signedCaller: there });
  const { settings: _own, ...own } = await documentOf(surveyId);
  expect(document).toEqual({ ...own, name: "There" });
  const entries = await auditEntries(fixture.sql, elsewhere.workspaceId);
  expect(entries.map(({ action, resourceId }) => [action, resourceId])).toEqual([["survey.created", copy.surveyId]]);
  expect(JSON.parse(entries[0]!.afterJson)).toMatchObject({ name: "There", copiedFrom: { surveyId } });
});

test("a copy takes effect once for each key", async () => {
  const { surveyId } = await fixture.create(input);
  const { context } = idempotent("copy-once", { name: "Once" });
  const first = await copying(surveyId, { name: "Once" }, "", context);
  expect((await copying(surveyId, { name: "Once" }, "", context)).surveyId).toBe(first.surveyId);
});

test("a refused copy writes nothing", async () => {
  const { surveyId } = await fixture.create(input);
  const before = await countSurveys();
  const free = signedPerson({ ...elsewhere, plan: "free" });
  const withTheme = { ...input, settings: { access: { password: "sesame" } } };
  const { surveyId: locked } = await fixture.create(withTheme);
  const made = [{ n: (before as { n: number }[])[0]!.n + 1 }];
  expect(await refusal(copying(locked, {}, "forged"))).toMatchObject({ code: "unauthorized" });
  const another = signedPerson({ ...elsewhere, personId: "person0000000002" });
  expect(await refusal(copying(locked, {}, another))).toMatchObject({ code: "unauthorized" });
  expect(await refusal(copying(locked, {}, "", { signedCaller: free }))).toMatchObject({ code: "survey_not_found" });
  expect(await refusal(copying(surveyId, { name: "", version: 0, surprise: 1 }))).toMatchObject({
    code: "validation_failed",
    details: { name: expect.anything(), version: expect.anything(), surprise: expect.anything() },
  });
  const small = signedPerson({ plan: "free" });
  expect(await refusal(copying(locked, {}, "", { signedCaller: small }))).toMatchObject({ code: "feature_locked" });
  expect(await countSurveys()).toEqual(made);
});

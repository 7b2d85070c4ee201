import { callOptions } from "@canvass/rpc";
import { surveyDefinitionSchema, type SurveyDefinition } from "@canvass/questions";
import Value from "typebox/value";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const workspaceId = "workspace0000001";

async function collection(surveyId: string) {
  const { collections } = await fixture.client.batchGetCollections({ surveys: [{ workspaceId, surveyId }] });
  return collections[0]!;
}

async function version(surveyId: string, versionId: string) {
  const { versions } = await fixture.client.batchGetVersions({ versions: [{ workspaceId, surveyId, versionId }] });
  return versions[0]!;
}

test("publishing freezes the draft, opens the survey, and gives its new tag", async () => {
  const created = await fixture.create({
    name: "Staff",
    questions: [
      question("One", { pageTitle: "First", required: true, helpText: "help" }),
      { type: "dropdown_matrix", text: "Two" },
      {
        type: "image_choice",
        text: "Three",
        choices: [{ text: "a", imageUrl: "https://example.org/a.png" }],
        pageTitle: "Second",
      },
    ],
  });
  const published = await fixture.publish(created.surveyId, created.etag);
  expect(published.versionNumber).toBe(1);
  const survey = await fixture.read(created.surveyId);
  expect(survey).toMatchObject({
    active: true,
    publishedVersion: 1,
    hasUnpublishedChanges: false,
    etag: published.etag,
  });
  expect(await collection(created.surveyId)).toMatchObject({
    found: true,
    active: true,
    versionId: published.versionId,
    versionNumber: 1,
  });
  const { definitionJson, versionNumber } = await version(created.surveyId, published.versionId);
  expect(versionNumber).toBe(1);
  const definition = JSON.parse(definitionJson) as SurveyDefinition;
  expect(Value.Errors(surveyDefinitionSchema, definition)).toEqual([]);
  expect(definition.pages.map(({ title }) => title)).toEqual(["First", "Second"]);
  const elements = await fixture.elements(created.surveyId);
  expect(definition.pages.flatMap((page) => page.elements).map(({ elementId }) => elementId)).toEqual(
    elements.map(({ id }) => id),
  );
  expect(definition.pages[0]!.elements[0]).toMatchObject({
    text: "One",
    helpText: "help",
    responseValidation: { required: true },
  });
});

test("an edit of the draft does not change the collecting version until it is published", async () => {
  const { surveyId } = await fixture.create({ name: "x", questions: [question("a")] });
  const first = await fixture.publish(surveyId);
  const before = await version(surveyId, first.versionId);
  await fixture.add(surveyId, { questions: [question("b")] });
  expect(await collection(surveyId)).toMatchObject({ versionId: first.versionId });
  expect(await version(surveyId, first.versionId)).toEqual(before);
  expect(await fixture.read(surveyId)).toMatchObject({
    hasUnpublishedChanges: true,
    publishedVersion: 1,
    active: true,
  });
  const second = await fixture.publish(surveyId);
  expect(second.versionNumber).toBe(2);
  expect(await collection(surveyId)).toMatchObject({ versionId: second.versionId, versionNumber: 2 });
  expect(await version(surveyId, first.versionId)).toEqual(before);
});

test("pages and elements are read and published in the order of `sort_order`, wherever their rows lie", async () => {
  const questions = [question("a"), question("b"), question("c", { pageTitle: "Two" })];
  const { surveyId } = await fixture.create({ name: "x", questions });
  for (const table of ["pages", "elements"]) {
    await fixture.sql(`UPDATE ${table} SET sort_order = 3 - sort_order WHERE survey_id = $1`, [surveyId]);
  }
  expect((await fixture.elements(surveyId)).map(({ questionText }) => questionText)).toEqual(["c", "b", "a"]);
  const { versionId } = await fixture.publish(surveyId);
  const definition = JSON.parse((await version(surveyId, versionId)).definitionJson) as SurveyDefinition;
  expect(definition.pages.map(({ elements }) => elements.map(({ text }) => text))).toEqual([["c"], ["b", "a"]]);
});

test("settings take effect at once and leave nothing to publish", async () => {
  const { surveyId } = await fixture.create({ name: "x", questions: [question("a")] });
  await fixture.publish(surveyId);
  await fixture.patch(surveyId, "*", {
    name: "y",
    settings: { collection: { responseLimit: 5 }, access: { password: "p" } },
  });
  const { settingsJson } = await collection(surveyId);
  expect(JSON.parse(settingsJson)).toMatchObject({ collection: { responseLimit: 5 }, privacy: { anonymity: "none" } });
  expect(settingsJson).not.toContain("password");
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(false);
  expect(await refusal(fixture.publish(surveyId))).toEqual({ code: "nothing_to_publish", details: {} });
});

test("a draft that equals the published version has nothing to publish", async () => {
  const { surveyId } = await fixture.create({ name: "x", questions: [question("a")] });
  await fixture.publish(surveyId);
  await fixture.add(surveyId, { questions: [question("b")] });
  await fixture.sql("DELETE FROM elements WHERE survey_id = $1 AND question_text = 'b'", [surveyId]);
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({ code: "nothing_to_publish" });
});

test("an invalid draft is refused with every issue; the ETag is checked first", async () => {
  const empty = await fixture.create({ name: "x" });
  expect(await refusal(fixture.publish(empty.surveyId))).toEqual({
    code: "validation_failed",
    details: { questions: [expect.stringContaining("question")] },
  });
  expect(await refusal(fixture.publish(empty.surveyId, '"0"'))).toMatchObject({ code: "precondition_failed" });
  const { surveyId } = await fixture.create({ name: "x", questions: [question("a"), { type: "dropdown", text: "b" }] });
  await fixture.sql("UPDATE elements SET question_text = NULL, choices = '[]' WHERE survey_id = $1", [surveyId]);
  const tooLong = fixture.client.publishSurvey(
    { surveyId, ifMatch: ["*"], bodyJson: JSON.stringify({ note: "n".repeat(1001) }) },
    callOptions({ signedCaller: signedPerson() }),
  );
  expect(Object.keys((await refusal(tooLong)).details)).toEqual([
    "note",
    "pages.0.elements.0.text",
    "pages.0.elements.1.text",
    "pages.0.elements.1.choices",
  ]);
  expect(await fixture.read(surveyId)).toMatchObject({ active: false, publishedVersion: 0 });
  expect(await collection(surveyId)).toMatchObject({ found: true, active: false, versionId: "", versionNumber: 0 });
});

test("of many who publish at once with one tag one wins; with * one publishes; the rest come too late or find it locked", async () => {
  const race = async (tagOf: (etag: string) => string) => {
    const { surveyId, etag } = await fixture.create({ name: "Race", questions: [question("a")] });
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => fixture.publish(surveyId, tagOf(etag))));
    const codes = outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value.versionNumber : (outcome.reason as { code: string }).code,
    );
    return codes.sort((a, b) => String(a).localeCompare(String(b)));
  };
  const [tagged, any] = [await race((etag) => etag), await race(() => "*")];
  for (const [codes, late] of [
    [tagged, "precondition_failed"],
    [any, "nothing_to_publish"],
  ] as const) {
    expect(codes.filter((code) => code === 1)).toHaveLength(1);
    for (const code of codes) expect([1, late, "survey_locked"]).toContain(code);
  }
});

test("version numbers have no gaps however edits and publications mix", async () => {
  const { surveyId } = await fixture.create({ name: "Race", questions: [question("a")] });
  await Promise.allSettled(
    Array.from({ length: 24 }, (_, index) =>
      index % 2 === 0 ? fixture.add(surveyId, { questions: [question(`q${index}`)] }) : fixture.publish(surveyId),
    ),
  );
  const versions = await fixture.sql<{ version_number: number; questions: number; question_count: number }>(
    `SELECT version_number, question_count, jsonb_array_length(layout->'pages'->0->'elements') AS questions
     FROM versions WHERE survey_id = $1 ORDER BY 1`,
    [surveyId],
  );
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.map(({ version_number }) => version_number)).toEqual(versions.map((_, index) => index + 1));
  // Each version is of one state of the draft, and the survey names the last one.
  for (const { questions, question_count } of versions) expect(question_count).toBe(questions);
  expect((await fixture.read(surveyId)).publishedVersion).toBe(versions.length);
});

test("publishing is done once per key", async () => {
  const { surveyId } = await fixture.create({ name: "x", questions: [question("a")] });
  const first = await fixture.publish(surveyId, "*", idempotent("publish-1", {}).context);
  const again = idempotent("publish-1", {});
  expect(await fixture.publish(surveyId, "*", again.context)).toEqual(first);
  expect(again.replays).toHaveLength(1);
});

test("another workspace can neither publish nor read versions", async () => {
  const { surveyId } = await fixture.create({ name: "Mine", questions: [question("a")] });
  const { versionId } = await fixture.publish(surveyId);
  const signedCaller = signedPerson({ workspaceId: "workspace0000002" });
  expect(await refusal(fixture.publish(surveyId, "*", { signedCaller }))).toMatchObject({ code: "survey_not_found" });
  const foreign = { workspaceId: "workspace0000002", surveyId };
  const { collections } = await fixture.client.batchGetCollections({ surveys: [foreign] });
  expect(collections[0]).toMatchObject({ found: false, versionId: "", settingsJson: "" });
  const { versions } = await fixture.client.batchGetVersions({ versions: [{ ...foreign, versionId }] });
  expect(versions[0]).toMatchObject({ versionId: "", definitionJson: "" });
});

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

async function countRows(): Promise<Record<string, string>> {
  const [counts] = await fixture.sql<Record<string, string>>(
    `SELECT (SELECT count(*) FROM surveys) AS surveys, (SELECT count(*) FROM pages) AS pages,
      (SELECT count(*) FROM elements) AS elements, (SELECT count(*) FROM response_counts) AS counters`,
  );
  return counts!;
}

test("a survey of a name alone is a draft with defaults and one empty page", async () => {
  const created = await fixture.create({ name: "Staff" });
  expect(created).toMatchObject({
    name: "Staff",
    description: "",
    language: "en",
    type: 1,
    active: false,
    ownerAccountId: "person0000000001",
    publishedVersion: 0,
    hasUnpublishedChanges: true,
    questionCount: 0,
    responseCount: 0n,
  });
  expect(created.surveyId).toMatch(/^[0-9a-z]{16}$/);
  expect(created.etag).toMatch(/^"[0-9a-f]{16}"$/);
  expect(JSON.parse(created.settingsJson)).toMatchObject({
    display: { progressStyle: "bar" },
    access: { password: false },
  });
  const pages = await fixture.sql("SELECT title, sort_order FROM pages WHERE survey_id = $1", [created.surveyId]);
  expect(pages).toEqual([{ title: null, sort_order: 1 }]);
  expect(await fixture.read(created.surveyId)).toEqual(created);
});

test("one request creates a survey with fields, settings and questions, and it is read as created", async () => {
  const created = await fixture.create({
    name: "Ärger & <b>",
    description: "d",
    language: "pt-BR",
    type: 4,
    settings: { display: { theme: "dark" }, access: { password: "open sesame" } },
    questions: [
      question("One", { pageTitle: "First" }),
      { type: 4, text: "Two", choices: ["a", { text: "b" }], multipleAnswers: true },
      question("Three", { pageTitle: "Second" }),
    ],
  });
  expect(created).toMatchObject({ name: "Ärger & <b>", language: "pt-BR", type: 4, questionCount: 3 });
  expect(await fixture.read(created.surveyId)).toEqual(created);
  const elements = await fixture.elements(created.surveyId);
  expect(elements.map(({ questionText, typeName, sortOrder }) => [questionText, typeName, sortOrder])).toEqual([
    ["One", "short_text", 1],
    ["Two", "multiple_choice", 2],
    ["Three", "short_text", 1],
  ]);
  const titles = await fixture.sql("SELECT title FROM pages WHERE survey_id = $1 ORDER BY sort_order", [
    created.surveyId,
  ]);
  expect(titles).toEqual([{ title: "First" }, { title: "Second" }]);
});

test("a password is stored as a hash only, and reads as true", async () => {
  const created = await fixture.create({ name: "Secret", settings: { access: { password: "open sesame" } } });
  expect(JSON.parse(created.settingsJson)).toMatchObject({ access: { password: true } });
  const [row] = await fixture.sql<{ settings: string }>("SELECT settings::text FROM surveys WHERE survey_id = $1", [
    created.surveyId,
  ]);
  expect(row!.settings).toContain("scrypt$");
  expect(row!.settings).not.toContain("sesame");
});

test("every violation is reported at once, and nothing is written", async () => {
  const before = await countRows();
  const { code, details } = await refusal(
    fixture.create({
      title: "x",
      language: "??",
      type: 9,
      settings: { display: { theme: "pink" }, nope: {} },
      questions: [question("fine"), question(""), { type: "riddle", text: "x" }, 5],
    }),
  );
  expect(code).toBe("validation_failed");
  expect(Object.keys(details).sort()).toEqual(
    [
      "language",
      "name",
      "questions.1.text",
      "questions.2.type",
      "questions.3",
      "settings.display.theme",
      "settings.nope",
      "title",
      "type",
    ].sort(),
  );
  expect(await countRows()).toEqual(before);
});

test("the plan limits settings and questions, after all violations, and nothing is written", async () => {
  const before = await countRows();
  const signedCaller = signedPerson({ plan: "free" });
  const locked = { name: "x", settings: { access: { password: "p" }, display: { showBranding: false } } };
  expect(await refusal(fixture.create(locked, { signedCaller }))).toMatchObject({
    code: "feature_locked",
    details: { paths: ["settings.display.showBranding", "settings.access.password"], required_plan: "professional" },
  });
  const many = { name: "x", questions: Array.from({ length: 11 }, (_, index) => question(`q${index}`)) };
  expect(await refusal(fixture.create(many, { signedCaller }))).toEqual({
    code: "quota_exceeded",
    details: { limit: 10, requested: 11, required_plan: "starter" },
  });
  expect(await refusal(fixture.create({ ...locked, type: 9 }, { signedCaller }))).toMatchObject({
    code: "validation_failed",
  });
  expect(await countRows()).toEqual(before);
});

test("a repeated request is answered with the first answer and creates nothing", async () => {
  const body = { name: "Once" };
  const answeredAt = new Date();
  const first = idempotent("create-1", body, { requestId: "first", answeredAt });
  const again = idempotent("create-1", body, { requestId: "second" });
  const created = await fixture.create(body, first.context);
  const before = await countRows();
  expect(await fixture.create(body, again.context)).toEqual(created);
  expect(first.replays).toEqual([]);
  expect(again.replays).toMatchObject([{ requestId: "first", answeredAt: timestampFromDate(answeredAt) }]);
  expect(await countRows()).toEqual(before);
  const other = idempotent("create-1", { name: "Other" });
  expect(await refusal(fixture.create({ name: "Other" }, other.context))).toMatchObject({
    code: "idempotency_key_reused",
  });
});

test("of many simultaneous requests with one key, one creates and the others get its result", async () => {
  const body = { name: "Race" };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => fixture.create(body, idempotent("create-race", body).context)),
  );
  const ids = new Set(outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.surveyId] : [])));
  expect(ids.size).toBe(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "idempotency_in_progress" });
  }
  expect(await fixture.sql("SELECT 1 FROM surveys WHERE name = 'Race'")).toHaveLength(1);
});

test("a refused request does not use its key up", async () => {
  const bad = { name: "" };
  await refusal(fixture.create(bad, idempotent("create-2", bad).context));
  const good = { name: "Good" };
  expect(await fixture.create(good, idempotent("create-2", good).context)).toMatchObject({ name: "Good" });
});

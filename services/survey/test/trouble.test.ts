import { callOptions } from "@canvass/rpc";
import { createTestDatabase, waitFor } from "@canvass/testing";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const asMe = () => callOptions({ signedCaller: signedPerson() });

describe("hostile bodies", () => {
  const deep = (depth: number, open: string, close: string, inner = "1") =>
    open.repeat(depth) + inner + close.repeat(depth);
  const megabyte = "x".repeat(1024 * 1024);

  test.each<[string, string, string]>([
    ["not JSON", "{", "malformed_json"],
    ["none, as of a gateway of 0.1.0", "", "service_unavailable"],
    ["a list", "[]", "validation_failed"],
    ["null", "null", "validation_failed"],
    ["a number", "1", "validation_failed"],
    ["__proto__ as a field", '{"__proto__":{"name":"x"}}', "validation_failed"],
    ["__proto__ within", '{"name":"x","settings":{"__proto__":{"theme":"dark"}}}', "validation_failed"],
    ["__proto__ in a question", '{"name":"x","questions":[{"__proto__":{"type":1},"text":"a"}]}', "validation_failed"],
    ["constructor as type", '{"name":"x","questions":[{"type":"constructor","text":"a"}]}', "validation_failed"],
    ["a name of 1 MB", JSON.stringify({ name: megabyte }), "validation_failed"],
    ["a field name of 1 MB", JSON.stringify({ name: "x", [megabyte]: 1 }), "validation_failed"],
    ["a question of 1 MB", JSON.stringify({ name: "x", questions: [question(megabyte)] }), "validation_failed"],
    [
      "a setting of 1 MB",
      JSON.stringify({ name: "x", settings: { completion: { message: megabyte } } }),
      "validation_failed",
    ],
    [
      "numbers for strings",
      '{"name":1,"description":2,"language":3,"questions":[{"type":1,"text":4,"helpText":5}]}',
      "validation_failed",
    ],
    ["NUL in a name", '{"name":"a\\u0000b"}', "validation_failed"],
    ["NUL in a question", '{"name":"x","questions":[{"type":1,"text":"a\\u0000b"}]}', "validation_failed"],
    [
      "NUL in a choice",
      '{"name":"x","questions":[{"type":4,"text":"a","choices":["\\u0000","b"]}]}',
      "validation_failed",
    ],
    [
      "NUL in a page title",
      '{"name":"x","questions":[{"type":1,"text":"a","pageTitle":"\\u0000"}]}',
      "validation_failed",
    ],
    [
      "NUL in a label",
      '{"name":"x","questions":[{"type":8,"text":"a","typeSettings":{"labels":{"1":"\\u0000"}}}]}',
      "validation_failed",
    ],
    ["NUL in a setting", '{"name":"x","settings":{"navigation":{"buttonNext":"\\u0000"}}}', "validation_failed"],
    ["half a surrogate pair", '{"name":"\\ud800"}', "validation_failed"],
    ["half a pair in a password", '{"name":"x","settings":{"access":{"password":"\\ud800"}}}', "validation_failed"],
    ["a huge number", '{"name":"x","type":1e400}', "validation_failed"],
    ["deep lists", `{"name":${deep(100_000, "[", "]")}}`, "validation_failed"],
    ["deep objects", `{"name":"x","settings":${deep(100_000, '{"a":', "}")}}`, "validation_failed"],
    [
      "deep settings",
      `{"name":"x","settings":{"locale":{"additional":${deep(100_000, "[", "]")}}}}`,
      "validation_failed",
    ],
    ["deep questions", `{"name":"x","questions":${deep(100_000, "[", "]")}}`, "validation_failed"],
    [
      "deep typeSettings",
      `{"name":"x","questions":[{"type":8,"text":"a","typeSettings":{"labels":${deep(50_000, '{"1":', "}")}}}]}`,
      "validation_failed",
    ],
    [
      "deep choices",
      `{"name":"x","questions":[{"type":4,"text":"a","choices":${deep(50_000, '[{"text":', "}]")}}]}`,
      "validation_failed",
    ],
    [
      "a flood of fields",
      JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, 1]))),
      "validation_failed",
    ],
    [
      "a flood of settings",
      JSON.stringify({
        name: "x",
        settings: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`group${index}`, {}])),
      }),
      "validation_failed",
    ],
    [
      "a flood of faulty questions",
      JSON.stringify({ name: "x", questions: Array.from({ length: 1000 }, () => ({ type: 99, text: "" })) }),
      "validation_failed",
    ],
    [
      "a flood of nothing",
      JSON.stringify({ name: "x", questions: Array.from({ length: 200_000 }, () => null) }),
      "validation_failed",
    ],
  ])("%s is refused, and nothing is written", async (_name, bodyJson, code) => {
    await using fixture = await shared();
    expect((await refusal(fixture.client.createSurvey({ bodyJson }, asMe()))).code).toBe(code);
    expect(await fixture.sql("SELECT 1 FROM surveys")).toEqual([]);
  });

  // One service for all of them; each test would otherwise start its own.
  let started: ReturnType<typeof startSurveyFixture> | undefined;
  async function shared() {
    const fixture = await (started ??= startSurveyFixture());
    return { ...fixture, [Symbol.asyncDispose]: async () => undefined };
  }
});

test("malformed ids are survey_not_found, and reveal no error of the database", async () => {
  await using fixture = await startSurveyFixture();
  for (const surveyId of ["", "\0", "'", "x".repeat(1_000_000), "../../etc", "0000000000000000\n"]) {
    const calls = [
      fixture.client.updateSurvey({ surveyId, ifMatch: ["*"], bodyJson: '{"name":"x"}' }, asMe()),
      fixture.client.addQuestions({ surveyId, bodyJson: '{"questions":[{"type":"rating","text":"x"}]}' }, asMe()),
      fixture.client.publishSurvey({ surveyId, ifMatch: ["*"], bodyJson: "{}" }, asMe()),
      fixture.listPage({ surveyId, limit: 1, page: 1 }),
    ];
    for (const refused of await Promise.all(calls.map(refusal))) {
      expect(refused).toEqual({ code: "survey_not_found", details: {} });
    }
  }
});

test("forged callers and peers without a caller are refused", async () => {
  await using fixture = await startSurveyFixture();
  const request = { bodyJson: '{"name":"x"}' };
  expect(await refusal(fixture.client.createSurvey(request))).toMatchObject({ code: "unauthorized" });
  const forged = callOptions({ signedCaller: `${signedPerson()}A` });
  expect(await refusal(fixture.client.createSurvey(request, forged))).toMatchObject({ code: "unauthorized" });
});

test("a write whose connection is killed leaves nothing behind and can be repeated with its key", async () => {
  await using fixture = await startSurveyFixture();
  const { surveyId } = await fixture.create({ name: "x" });
  const before = await fixture.read(surveyId);
  const body = { questions: Array.from({ length: 200 }, (_, index) => question(`q${index}`)) };
  // Holds the write after its first rows: it waits for this trigger when it updates the survey at the end.
  await fixture.sql(
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NEW; END'`,
  );
  await fixture.sql("CREATE TRIGGER slow BEFORE UPDATE ON surveys FOR EACH ROW EXECUTE FUNCTION wait()");
  const attempt = refusal(fixture.add(surveyId, body, idempotent("killed", body).context));
  await waitFor(
    async () =>
      (
        await fixture.sql(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE wait_event = 'PgSleep' AND datname = current_database()`,
        )
      ).length > 0,
    { describe: "the write to reach its update" },
  );
  expect(await attempt).toMatchObject({ code: "service_unavailable" });
  await fixture.sql("DROP TRIGGER slow ON surveys");
  expect(await fixture.read(surveyId)).toEqual(before);
  expect(await fixture.sql("SELECT 1 FROM elements")).toEqual([]);
  expect(await fixture.sql("SELECT 1 FROM idempotency_records")).toEqual([]);
  const repeated = idempotent("killed", body);
  expect(await fixture.add(surveyId, body, repeated.context)).toHaveLength(200);
  expect(repeated.replays).toEqual([]);
});

test("without its database the service starts, reports it, refuses calls; it replaces lost connections", async () => {
  await using database = await createTestDatabase(migrations);
  await using fixture = await startSurveyFixture({ databaseUrl: "postgresql://nobody:x@127.0.0.1:1/none" });
  expect((await fetch(`${fixture.opsUrl}/readyz`)).status).toBe(503);
  expect((await fetch(`${fixture.opsUrl}/livez`)).status).toBe(200);
  const caller = signedPerson();
  const surveyId = "0000000000000000";
  const calls = [
    fixture.create({ name: "x" }),
    fixture.patch(surveyId, "*", { name: "x" }),
    fixture.add(surveyId, { questions: [] }),
    fixture.publish(surveyId),
    fixture.elements(surveyId),
    fixture.client.listSurveys({ limit: 1 }, asMe()),
    fixture.client.batchGetSurveys({ surveys: [{ caller, surveyId }] }),
    fixture.client.batchGetCollections({ surveys: [{ workspaceId: "w", surveyId }] }),
    fixture.client.batchGetVersions({ versions: [{ workspaceId: "w", surveyId, versionId: surveyId }] }),
  ];
  const codes = await Promise.all(calls.map(async (call) => (await refusal(call)).code));
  expect(codes).toEqual(calls.map(() => "service_unavailable"));

  await using alive = await startSurveyFixture({ databaseUrl: database.url });
  const created = await alive.create({ name: "x" });
  expect((await fetch(`${alive.opsUrl}/readyz`)).status).toBe(200);
  await alive.sql(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await waitFor(async () => (await alive.read(created.surveyId)).name === "x", {
    describe: "the service to reconnect",
  });
});

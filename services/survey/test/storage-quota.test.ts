import { plans } from "@canvass/access";
import type { AppError } from "@canvass/errors";
import { callOptions } from "@canvass/rpc";
import { waitFor } from "@canvass/testing";
import * as fc from "fast-check";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SURVEY_BYTES } from "../src/storage/workspace-storage.ts";
import { question, refusal, signedPerson, startSurveyFixture, type SurveyFixture } from "./survey-fixture.ts";

let fixture: SurveyFixture;
let now = new Date("2026-03-01T12:00:00Z");
const later = (minutes: number) => (now = new Date(now.getTime() + minutes * 60_000));
const free = { signedCaller: signedPerson({ plan: "free" }) };
const limit = plans.free.storedBytes;

beforeAll(async () => void (fixture = await startSurveyFixture({ now: () => now })));
afterAll(() => fixture?.[Symbol.asyncDispose]());
beforeEach(() => fixture.sql("TRUNCATE surveys, workspace_storage CASCADE"));

const heavy = (length: number) =>
  question("Which?", {
    type: "dropdown",
    choices: Array.from({ length: 1_000 }, (_, at) => `${at}`.padEnd(length, "x")),
  });
const heavies = (count: number) => Array.from({ length: count }, () => heavy(500));
/** Number of heavy questions, half a mebibyte each, that fit into the quota of the free plan. */
const fitting = 29;

/** A free workspace with little left of its quota. */
async function filled(): Promise<string[]> {
  const ids: string[] = [];
  for (const name of ["a", "b", "c", "d"])
    ids.push((await fixture.create({ name, questions: heavies(7) }, free)).surveyId);
  return ids;
}

const counter = async () =>
  Number((await fixture.sql<{ bytes: string }>("SELECT bytes FROM workspace_storage"))[0]!.bytes);

/** Returns counted less stored bytes: of each survey, of its versions and backups, and of the workspace. */
async function recount() {
  const kept = `(SELECT coalesce(sum(k.bytes), 0) FROM kept_questions k WHERE k.survey_id = s.survey_id)
    + (SELECT coalesce(sum(octet_length(l.layout::text)), 0) FROM (SELECT survey_id, layout FROM versions
        UNION ALL SELECT survey_id, layout FROM backups) l WHERE l.survey_id = s.survey_id)`;
  return fixture.sql(`SELECT s.stored_bytes - (${SURVEY_BYTES}) AS survey, s.kept_bytes - (${kept}) AS kept,
    (SELECT w.bytes FROM workspace_storage w) - (SELECT sum(t.stored_bytes) FROM surveys t) AS workspace FROM surveys s`);
}

const exact = (surveys: number) => Array.from({ length: surveys }, () => ({ survey: "0", kept: "0", workspace: "0" }));

test("after any concurrent writes of a workspace, its counter equals the data of its surveys", async () => {
  const surveys = await Promise.all(
    ["a", "b", "c"].map((name) => fixture.create({ name, questions: [heavy(5), question("x"), question("y")] })),
  );
  const [first, ...others] = surveys.map(({ surveyId }) => surveyId);
  const writes: Record<string, (surveyId: string) => Promise<unknown>> = {
    add: (id) => fixture.add(id, { questions: [question("n", { pageTitle: "P" })] }),
    remove: async (id) => fixture.remove((await fixture.elements(id))[0]!["id"]),
    retire: async (id) => {
      const { id: elementId, questionId } = (await fixture.elements(id)).at(-1)!;
      fixture.answers.set(questionId as string, { respondents: 1 });
      await fixture.remove(elementId as string);
    },
    edit: async (id) => {
      const body = { settings: { typeSettings: {}, responseValidation: {} }, questionText: "Word" };
      await fixture.edit((await fixture.elements(id)).at(-1)!["id"], { edit: "settings", body });
    },
    page: async (id) => fixture.patchPage(id, (await fixture.pages(id))[0]!.pageId, { title: "Long title" }),
    rename: (id) => fixture.patch(id, "*", { name: "Renamed", description: "Described" }),
    publish: (id) => fixture.publish(id),
    backUp: (id) => fixture.client.createBackup({ surveyId: id }, callOptions({ signedCaller: signedPerson() })),
    restore: async (id) => {
      const { backupId } = (await fixture.backups(id)).at(-1)!;
      await fixture.client.restoreBackup(
        { surveyId: id, backupId, ifMatch: ["*"] },
        callOptions({ signedCaller: signedPerson() }),
      );
    },
  };
  const round = fc.array(fc.tuple(fc.constantFrom(...Object.keys(writes)), fc.constantFrom(first!, ...others)), {
    minLength: 16,
    maxLength: 16,
  });
  await fc.assert(
    fc.asyncProperty(round, async (chosen) => {
      later(11);
      await Promise.allSettled(chosen.map(([name, surveyId]) => writes[name]!(surveyId)));
      expect(await recount()).toEqual(exact(3));
    }),
    { numRuns: 12 },
  );
  const made = await fixture.sql<{ versions: number; backups: number; retired: number }>(
    `SELECT (SELECT count(*)::int FROM versions) AS versions, (SELECT count(*)::int FROM backups) AS backups,
       (SELECT count(*)::int FROM retired_elements) AS retired`,
  );
  // The rounds made some of each.
  for (const count of Object.values(made[0]!)) expect(count).toBeGreaterThan(0);
});

/** Returns the refusal; undefined if `create` succeeds. Tries again while the service is too busy. */
async function refusalOnceNotBusy(create: () => Promise<unknown>) {
  const evaluate = async () => {
    const outcome = await create().then(
      () => ({ made: true as const }),
      ({ code, details }: AppError) => ({ made: false as const, code, details }),
    );
    return (outcome.made || outcome.code !== "service_unavailable") && outcome;
  };
  const { made, ...refused } = await waitFor(evaluate, { describe: "the service to judge" });
  return made ? undefined : refused;
}

test("of many that create at once as many win as fit; the others are refused by the quota and write nothing", async () => {
  const create = (name: string) => () => fixture.create({ name, questions: heavies(7) }, free);
  const outcomes = await Promise.all(Array.from({ length: 8 }, (_, at) => refusalOnceNotBusy(create(`${at}`))));
  const refused = outcomes.flatMap((outcome) => outcome ?? []);
  expect(outcomes.length - refused.length).toBe(Math.floor(fitting / 7));
  expect(await fixture.sql("SELECT survey_id FROM surveys")).toHaveLength(4);
  expect(await recount()).toEqual(exact(4));
  const before = await counter();
  expect(before).toBeLessThanOrEqual(limit);
  for (const each of [...refused, await refusalOnceNotBusy(create("One more"))]) {
    expect(each).toEqual({
      code: "quota_exceeded",
      details: { limit, requested: expect.any(Number), required_plan: "starter", unit: "bytes" },
    });
  }
  expect(await counter()).toBe(before);
  // Another workspace has a quota of its own.
  const foreign = signedPerson({ plan: "free", workspaceId: "workspace0000002" });
  await fixture.create({ name: "Mine", questions: heavies(7) }, { signedCaller: foreign });
});

test("beyond the quota nothing can grow, shrinking writes succeed, and collecting continues", async () => {
  const [surveyId] = await filled();
  await fixture.sql("UPDATE workspace_storage SET bytes = bytes + $1", [limit]);
  const beyond = await counter();
  expect(await refusal(fixture.publish(surveyId!, "*", free))).toMatchObject({ code: "quota_exceeded" });
  expect(await refusal(fixture.add(surveyId!, { questions: [question("a")] }, free))).toMatchObject({
    code: "quota_exceeded",
    details: { requested: expect.any(Number), required_plan: "starter" },
  });
  expect(await counter()).toBe(beyond);
  expect(await fixture.backups(surveyId!)).toEqual([]);
  // A backup is due. It would add more than the removal frees, so it is deleted.
  later(11);
  const [first, second] = await fixture.elements(surveyId!);
  await fixture.remove(first!["id"], [], free);
  expect(await counter()).toBeLessThan(beyond - 500_000);
  expect(await fixture.backups(surveyId!)).toEqual([]);
  // With a larger plan it is published; back on the small one it is collected as before, and may shrink.
  const { versionId } = await fixture.publish(surveyId!);
  await fixture.remove(second!["id"], [], free);
  const collected = await fixture.client.batchGetVersions({
    versions: [{ workspaceId: "workspace0000001", surveyId: surveyId!, versionId }],
  });
  expect(JSON.parse(collected.versions[0]!.definitionJson).pages[0].elements).toHaveLength(6);
});

test("before a write is refused, automatic backups are deleted; the others are kept", async () => {
  const [surveyId] = await filled();
  const person = callOptions({ signedCaller: signedPerson() });
  const [first] = await fixture.elements(surveyId!);
  await fixture.client.createBackup({ surveyId: surveyId! }, person);
  later(11);
  await fixture.remove(first!["id"]);
  later(11);
  await fixture.add(surveyId!, { questions: heavies(1) });
  const reasons = async () => (await fixture.backups(surveyId!)).map(({ reason }) => reason);
  expect(await reasons()).toEqual(["auto", "manual"]);
  expect(await counter()).toBeGreaterThan(limit);
  later(11);
  const add = () => fixture.add(surveyId!, { questions: [question("b", { helpText: "x".repeat(900) })] }, free);
  expect(await refusal(add())).toMatchObject({ code: "quota_exceeded" });
  expect(await reasons()).toEqual(["auto", "manual"]);
  await fixture.sql("UPDATE workspace_storage SET bytes = $1", [limit - 1_000]);
  await add();
  expect(await reasons()).toEqual(["manual"]);
});

test("the migration counts existing data", async () => {
  const { surveyId } = await fixture.create({ name: "Before", questions: [question("a"), question("b")] });
  await fixture.publish(surveyId);
  const { id, questionId } = (await fixture.elements(surveyId))[0]!;
  fixture.answers.set(questionId as string, { respondents: 1 });
  await fixture.remove(id as string);
  await fixture.sql("ALTER TABLE surveys DROP COLUMN kept_bytes, DROP COLUMN stored_bytes");
  await fixture.sql("ALTER TABLE retired_elements DROP COLUMN bytes");
  await fixture.sql("DROP TABLE workspace_storage");
  const path = new URL("../prisma/migrations/20261122071000_count_stored_bytes/migration.sql", import.meta.url);
  await fixture.sql(await readFile(path, "utf8"));
  expect(await recount()).toEqual(exact(1));
  expect(await counter()).toBeGreaterThan(500);
  await fixture.add(surveyId, { questions: [question("c")] });
  expect(await recount()).toEqual(exact(1));
});

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Question } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { dayIn } from "@canvass/values";
import { beforeEach, expect, test } from "vitest";
import {
  choiceQuestion,
  definitionOf,
  dropdownMatrixQuestion,
  numberQuestion,
  ratingQuestion,
  surveyId,
  testId,
} from "./harness.ts";
import { copyId, startImportHarness } from "./import-harness.ts";

const named = (name: string, question: Question): Question => ({ ...question, name });
const lunch = named("lunch", ratingQuestion("lunch", true));
const cost = named("cost", numberQuestion("cost"));
const colours = named("colours", choiceQuestion("colours", ["red", "blue"]));
const remark = named("remark", {
  ...ratingQuestion("remark"),
  type: 2,
  typeSettings: { minLength: 0, maxLength: 1_000 },
});
const rooms = named("rooms", dropdownMatrixQuestion("rooms", ["hall"], { size: ["small", "large"] }));
const pages = [[lunch, cost], [colours, remark], [rooms]];

const harness = await sharedByFile(startImportHarness(pages));
beforeEach(async () => {
  Object.assign(harness.survey, { settings: {}, versionNumber: 1, active: true });
  harness.survey.versions.set(1, definitionOf(pages));
  await harness.sql(`TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters, start_days,
    number_counters, completion_slots, quota_counters, activity_slots, outbox_events, response_imports, staged_rows, jobs`);
});

const counters = () =>
  harness.sql<{ started: number; completed: number }>(
    `SELECT sum(started)::int AS started, sum(completed)::int AS completed FROM survey_counters WHERE survey_id = $1`,
    [surveyId],
  );

async function aggregation(survey: string) {
  const options = callOptions({ signedCaller: harness.signed() });
  const chunks = await Array.fromAsync(harness.client.streamAggregation({ surveyId: survey }, options));
  const { contentHash: _, ...summary } = chunks[0]!.summary!;
  const stats = chunks.flatMap(({ questionStats }) => questionStats);
  return { ...summary, stats };
}

async function exported(survey: string, body: object) {
  const asked = { surveyId: survey, bodyJson: JSON.stringify({ format: "csv", includePartial: true, ...body }) };
  const { export: queued } = await harness.exports.createExport(asked, harness.as());
  await waitFor(async () => (await harness.read(queued!.exportId)).status === "completed", { describe: "the file" });
  return (await harness.download(await harness.createDownloadToken(queued!.exportId))).toString();
}

const answer = (name: string, value: unknown) => ({ elementId: testId(name), value });

test.each([{ headings: "names" }, { headings: "texts" }, { headings: "both", labels: "both" }])(
  "an export with %j is imported into a copy of the survey, which has the same results and exports the same file",
  async (options) => {
    const save = async (responses: object[], minutes: number, complete: boolean) => {
      const respondentId = await harness.start();
      harness.clock.advance(minutes * 60_000);
      await harness.submit({ respondentId, responses, metadata: { complete, language: "de" } });
    };
    const choices = [testId("red")];
    await save([answer("lunch", 5), answer("cost", -4.25), answer("colours", choices)], 7, true);
    await save([answer("lunch", 2), answer("remark", '=1+1; @x "quoted"\nline two')], 3, true);
    await save(
      [answer("lunch", 6), answer("rooms", { [testId("hall")]: { [testId("size")]: testId("large") } })],
      1,
      true,
    );
    await save([answer("lunch", 1), answer("rooms", { [testId("hall")]: { [testId("size")]: "" } })], 2, false);
    const file = await exported(surveyId, options);
    const outcome = await harness.importFile(file, { survey: copyId });
    expect(outcome).toMatchObject({ status: "completed", total: 4, imported: 4, failed: 0, errors: [] });
    expect(outcome.columnsLeftOut).toHaveLength(3);
    expect(await aggregation(copyId)).toEqual(await aggregation(surveyId));
    expect(await harness.verifyResults({ survey: copyId })).toEqual([]);
    const withoutIds = (text: string) => text.replaceAll(/^[a-z0-9]{16},/gm, "").replaceAll(/version\d+/g, "version");
    expect(withoutIds(await exported(copyId, options))).toBe(withoutIds(file));
    expect(await harness.importFile(file, { survey: copyId })).toMatchObject({ imported: 0, skipped: 4 });
  },
);

test("violations are reported by line and column without values, and the other rows are stored", async () => {
  const file = [
    "sep=;",
    "externalId;startedAt;completedAt;lunch;cost;colours_red0000000000000;remark",
    "1;2024-05-02T12:00:00Z;2024-05-02T12:10:00Z;5;1;1;fine",
    "2;yesterday;2024-05-02T12:10:00Z;7;many;2;secret",
    '3;2024-05-02T12:00:00Z;2024-05-02T11:00:00Z;4;;;"two',
    'lines"',
    "4;;2024-05-02T12:00:00Z;;3;;",
    "5;;2024-05-02;3;;;;too many",
    "1;;2024-05-02;3;;;",
  ].join("\n");
  const errors = [
    [4, "startedAt"],
    [4, "lunch"],
    [4, "cost"],
    [4, "colours_red0000000000000"],
    [6, "completedAt"],
    [7, "lunch"],
    [8, "column 8"],
  ];
  const preview = await harness.preview(file);
  expect(preview).toMatchObject({ total: 6, failed: 4, violations: 7 });
  const places = (list: readonly { line: number; column: string }[]) =>
    list.map(({ line, column }) => [line, column]).toSorted(([a], [b]) => Number(a) - Number(b));
  expect(new Set(places(preview.errors).map(String))).toEqual(new Set(errors.map(String)));
  expect(JSON.parse(preview.rows[0]!.respondentJson)).toMatchObject({
    status: "completed",
    startedAt: "2024-05-02T12:00:00.000Z",
    completedAt: "2024-05-02T12:10:00.000Z",
    externalId: "1",
    answers: [
      { name: "lunch", value: 5 },
      { name: "cost", value: 1 },
      { name: "colours", value: [testId("red")] },
      { name: "remark", value: "fine" },
    ],
  });
  expect(await harness.sql("SELECT FROM respondents")).toEqual([]);
  const outcome = await harness.importFile(file);
  expect(outcome).toMatchObject({ total: 6, imported: 1, skipped: 1, failed: 4, violations: 7 });
  expect(new Set(places(outcome.errors).map(String))).toEqual(new Set(errors.map(String)));
  expect(JSON.stringify(outcome.errors)).not.toMatch(/yesterday|many;|secret/);
  expect(await counters()).toEqual([{ started: 1, completed: 1 }]);
  expect(await harness.sql("SELECT FROM staged_rows")).toEqual([]);
});

test.each([
  ["an unknown column", "lunch,dinner\n5,4", "dinner"],
  ["a column twice", "lunch,LUNCH\n5,4", "two columns"],
  ["no column of a question", "externalId\n5", "column of a question"],
  ["a heading in another charset", Buffer.from("lunch,f\xfcr\n5,\xe4", "latin1").toString("binary"), "no column"],
  ["no row", "lunch\n", "at least one row"],
  [
    "several choices in one column",
    "lunch,Colours\n5,red blue",
    "a column for each part of Colours, such as colours_red",
  ],
])("a file with %s is refused", async (_name, file, message) => {
  const { code, details } = (await refusal(harness.queue(file))) as { code: string; details: object };
  expect([code, JSON.stringify(details)]).toEqual(["validation_failed", expect.stringContaining(message)]);
});

test("a single column for a question with several is refused, even where unknown columns are left out", async () => {
  const options = { skipUnknown: true };
  const file = "lunch,colours,rooms\n5,red blue,small";
  const body = [
    expect.stringMatching(/each part of colours, .* \(column 2\)$/),
    expect.stringMatching(/each part of rooms, .* \(column 3\)$/),
  ];
  expect(await refusal(harness.queue(file, options))).toMatchObject({ details: { body } });
  // Some systems write both.
  const column = `colours_${testId("red")}`;
  const outcome = await harness.importFile(`lunch,colours,${column}\n5,red,1`, options);
  expect(outcome).toMatchObject({ imported: 1, columnsLeftOut: ["colours"] });
});

test("unknown columns are left out and named where the caller says so", async () => {
  const outcome = await harness.importFile("lunch,dinner,contact.email,versionNumber\n5,4,a@example.org,1", {
    skipUnknown: true,
  });
  expect(outcome).toMatchObject({ imported: 1, columnsLeftOut: ["dinner", "contact.email", "versionNumber"] });
});

test("a number of a hidden field is one as files have it, other text a violation", async () => {
  const fields = [{ name: "seats", type: "number" as const }];
  harness.survey.versions.set(3, { ...definitionOf(pages), fields });
  harness.survey.versionNumber = 3;
  const numbers = ["0x10", "Infinity", "1e400", "two", "1e1", " -2.5"];
  const { errors } = await harness.importFile(["lunch,field.seats", ...numbers.map((text) => `5,${text}`)].join("\n"));
  expect(errors.map(({ line, column }) => [line, column])).toEqual([2, 3, 4, 5].map((line) => [line, "field.seats"]));
  const stored = await harness.sql<{ seats: number }>("SELECT fields -> 'seats' AS seats FROM respondents ORDER BY 1");
  expect(stored.map(({ seats }) => seats)).toEqual([-2.5, 10]);
});

test("no collecting rule refuses imported history, which counts for later respondents and publishes no events", async () => {
  const quota = {
    quotaId: testId("quota"),
    name: "Fives",
    when: { elementId: testId("lunch"), operator: "equals" as const, value: 5 },
    limit: 1,
    onFull: "close" as const,
    message: null,
  };
  harness.survey.versionNumber = 2;
  harness.survey.versions.set(2, { ...definitionOf(pages), quotas: [quota] });
  const closesAt = "2020-01-01T00:00:00Z";
  harness.survey.settings = { collection: { responseLimit: 1 }, schedule: { closesAt } };
  harness.survey.active = false;
  expect(await harness.importFile("lunch\n5\n5\n5")).toMatchObject({ imported: 3, failed: 0 });
  expect(await harness.sql("SELECT sum(completed)::int AS filled FROM quota_counters")).toEqual([{ filled: 3 }]);
  Object.assign(harness.survey, { active: true, settings: { collection: { responseLimit: 1 } } });
  expect(await refusal(harness.start())).toMatchObject({ details: { reason: "response_limit" } });
  const types = "SELECT type FROM outbox_events WHERE type LIKE 'response%'";
  expect(await harness.sql(types)).toEqual([{ type: "responses.imported" }]);
  expect(await harness.verifyResults()).toEqual([]);
});

test("times come from the rows, days with full anonymity, and an erasure removes the counts", async () => {
  const file =
    "startedAt,completedAt,lunch,status\n2009-07-01T10:00:00+02:00,2009-07-01T10:30:00+02:00,5,\n,,4,completed";
  await harness.importFile(file);
  const times = `SELECT respondent_id AS id, started_at AS "startedAt", completed_at AS "completedAt" FROM respondents ORDER BY 2`;
  const rows = await harness.sql<{ id: string; startedAt: Date; completedAt: Date }>(times);
  expect(rows[0]).toMatchObject({
    startedAt: new Date("2009-07-01T08:00:00Z"),
    completedAt: new Date("2009-07-01T08:30:00Z"),
  });
  expect(rows[1]!.completedAt).toEqual(rows[1]!.startedAt);
  for (const { id: respondentId } of rows)
    await harness.client.eraseRespondent({ surveyId, respondentId }, harness.as());
  harness.survey.settings = { privacy: { anonymity: "full" } };
  await harness.importFile("startedAt,completedAt,lunch\n2024-07-01T23:30:00Z,2024-07-01T23:45:00Z,5\n2024-07-01,,4");
  const [first] = await harness.sql<{ id: string; completedAt: Date }>(`${times} DESC`);
  expect(first!.completedAt).toEqual(new Date("2024-07-02T00:00:00Z"));
  const anonymous = await harness.sql<{ id: string }>(times);
  for (const { id: respondentId } of anonymous)
    await harness.client.eraseRespondent({ surveyId, respondentId }, harness.as());
  expect(await counters()).toEqual([{ started: 0, completed: 0 }]);
  expect(await harness.verifyResults()).toEqual([]);
  for (const [table, count] of [
    ["start_days", "started"],
    ["activity_slots", "respondents"],
  ]) {
    const left = await harness.sql(`SELECT FROM ${table} GROUP BY starts_at HAVING sum(${count}) <> 0`);
    expect(left).toEqual([]);
  }
});

test.each([
  ["America/New_York", ["2015-06-01", "2019-12-31", "2020-01-03"]],
  ["Pacific/Kiritimati", ["2015-06-02", "2020-01-01", "2020-01-04"]],
])(
  "in %s history is imported with full anonymity, times before and after 2020 as the days %j, and a date as itself",
  async (timeZone, days) => {
    harness.survey.settings = { privacy: { anonymity: "full" } };
    const today = dayIn(timeZone, harness.clock.now());
    const times = ["2015-06-01T12:00:00Z", "2020-01-01T02:00:00Z", "2020-01-03T12:00:00Z", today];
    const file = ["startedAt,lunch", ...times.map((time) => `${time},5`)].join("\n");
    expect(await harness.importFile(file, {}, { timeZone })).toMatchObject({ status: "completed", imported: 4 });
    const stored = await harness.sql<{ day: Date }>("SELECT started_at AS day FROM respondents ORDER BY started_at");
    expect(stored.map(({ day }) => day.toISOString())).toEqual([...days, today].map((day) => `${day}T00:00:00.000Z`));
  },
);

test("a respondent imported with full anonymity is not active, also where today begins later in UTC", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  const timeZone = "Pacific/Kiritimati";
  const today = dayIn(timeZone, harness.clock.now());
  const imported = await harness.importFile(`startedAt,status,lunch\n${today},started,5`, {}, { timeZone });
  expect(imported).toMatchObject({ imported: 1 });
  expect(await harness.client.getLiveSummary({}, harness.as())).toMatchObject({ active: 0n });
});

test("respondents of before 2020 are listed by their times", async () => {
  await harness.importFile(
    "externalId,startedAt,lunch\na,2009-07-01,5\nb,2015-06-01,4\nc,2020-01-02,3\nd,2024-07-01,2",
  );
  harness.clock.advance(60_000);
  const listed = async (times: { from?: string; to?: string }) => {
    const [from, to] = [times.from, times.to].map((time) => (time ? timestampFromDate(new Date(time)) : undefined));
    const request = { surveyId, limit: 10, ...(from && { from }), ...(to && { to }) };
    const { respondents } = await harness.client.listRespondents(request, harness.as());
    return respondents.map(({ externalId }) => externalId).toSorted();
  };
  expect(await listed({ to: "2019-12-01" })).toEqual(["a", "b"]);
  expect(await listed({ from: "2010-01-01", to: "2016-01-01" })).toEqual(["b"]);
  expect(await listed({ from: "2016-01-01", to: "2020-01-03" })).toEqual(["c"]);
  expect(await listed({ from: "2010-01-01" })).toEqual(["b", "c", "d"]);
});

test("rows have the state of their respondent, and tests count nowhere", async () => {
  const file = "status,lunch\nStarted,\nCompleted,5\nScreened out,3\nstarted,2";
  expect(await harness.importFile(file)).toMatchObject({ imported: 4 });
  harness.clock.advance(60_000);
  const { respondents } = await harness.client.listRespondents({ surveyId, limit: 10 }, harness.as());
  expect(respondents.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual([
    "completed",
    "screened_out",
    "started",
    "started",
  ]);
  expect(respondents.every(({ isImported }) => isImported)).toBe(true);
  expect(await counters()).toEqual([{ started: 4, completed: 1 }]);
  await harness.importFile("lunch\n5", {}, { live: false });
  expect(await counters()).toEqual([{ started: 4, completed: 1 }]);
});

test("two imports of one file at once bring each external id once", async () => {
  const rows = Array.from({ length: 300 }, (_, n) => `r${n},${(n % 6) + 1}`);
  const file = `respondentId,lunch\n${rows.join("\n")}`;
  const large = `${file}\n${Array.from({ length: 300 }, (_, n) => `s${n},1`).join("\n")}`;
  const queued = await Promise.all([harness.queue(file), harness.queue(large), harness.queue(file)]);
  const outcomes = await Promise.all(queued.map(({ importId }) => harness.untilEnded(importId)));
  expect(outcomes.reduce((sum, { imported }) => sum + imported, 0)).toBe(600);
  expect(outcomes.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(600);
  expect(await counters()).toEqual([{ started: 600, completed: 600 }]);
  expect(await harness.verifyResults()).toEqual([]);
});

test("other workspaces see no import, and an unpublished survey takes none", async () => {
  const { importId } = await harness.queue("lunch\n5");
  const other = { workspaceId: testId("elsewhere") };
  expect(await refusal(harness.imports.getImport({ importId }, harness.as(other)))).toMatchObject({
    code: "import_not_found",
  });
  await harness.untilEnded(importId);
  harness.survey.versionNumber = 0;
  expect(await refusal(harness.queue("lunch\n5"))).toMatchObject({ details: { reason: "not_published" } });
  expect(await refusal(harness.queue("lunch\n5", { survey: testId("absent") }))).toMatchObject({
    code: "survey_not_found",
  });
});

test("a broken constraint of a row is reported in the survey's language, not the row's", async () => {
  const must = { elementId: testId("lunch"), operator: "less_than" as const, value: 5 };
  const translations = { de: { "constraints.0.message": { text: "Weniger.", source: "" } } };
  const constrained = { ...lunch, logic: { constraints: [{ must, message: "Less." }] }, translations };
  harness.survey.versions.set(5, definitionOf([[constrained, cost]]));
  Object.assign(harness.survey, { versionNumber: 5, languages: new Set(["de"]) });
  try {
    const { errors } = await harness.importFile("lunch,language\n6,de\n");
    expect(errors).toMatchObject([{ line: 2, column: "lunch", message: "Less." }]);
  } finally {
    harness.survey.languages = new Set();
  }
});

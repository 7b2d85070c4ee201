import { buildQuestions, type HiddenField } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { definitionOf, startHarness, surveyId } from "./harness.ts";
import { publishNext } from "./survey-double.ts";

const inputs = [
  {
    type: "multiple_choice",
    text: "Gender",
    name: "gender",
    choices: [
      { text: "Woman", code: "w" },
      { text: "Man", code: "m" },
    ],
  },
  { type: "multiple_choice", text: "Colours", name: "colours", choices: ["Red", "Green"], multipleAnswers: true },
  { type: "matrix", text: "Grid", name: "grid", rows: ["Taste", "Smell"], columns: ["Bad", "Good"] },
  { type: "nps", text: "-", name: "recommend", subject: "us" },
  { type: "number", text: "Age", name: "age" },
  { type: "short_text", text: "Why?", name: "why" },
];
const fields: HiddenField[] = [
  { name: "plan", type: "text", allowAnonymous: true },
  { name: "seats", type: "number", allowAnonymous: true },
];
interface Shown {
  label: string;
  total: { respondents: number; weighted: number };
  cells: unknown[];
}

let nextId = 0;
const built = buildQuestions(inputs, () => `made${String(++nextId).padStart(12, "0")}`);
if ("violations" in built) throw new Error(JSON.stringify(built.violations));
const questions = built.questions.map(({ question }) => question);
const [gender, colours, grid, recommend, age] = questions.map(({ elementId }) => elementId) as [
  string,
  string,
  string,
  string,
  string,
];
const [woman, man] = questions[0]!.choices!.map(({ id }) => id) as [string, string];
const [red, green] = questions[1]!.choices!.map(({ id }) => id) as [string, string];
const [taste] = questions[2]!.rows!.map(({ id }) => id) as [string];
const [bad, good] = questions[2]!.columns!.map(({ id }) => id) as [string, string];

const harness = await sharedByFile(startHarness([[]]));
beforeEach(async () => {
  Object.assign(harness.survey, { settings: {}, languages: [] });
  harness.clock.set(new Date("2026-03-01T12:00:00Z"));
  await harness.pool.query("TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters");
  publishNext(harness.survey, { ...definitionOf([questions]), fields });
});

async function answer(
  values: Record<string, unknown>,
  { plan, complete = true, live = true }: { plan?: string; complete?: boolean; live?: boolean } = {},
) {
  const signedCaller = harness.signed({ live });
  const bodyJson = JSON.stringify({ fields: plan === undefined ? {} : { plan } });
  const { respondent } = await harness.client.startRespondent({ surveyId, bodyJson }, callOptions({ signedCaller }));
  const { respondentId } = respondent!;
  const responses = Object.entries(values).map(([elementId, value]) => ({ elementId, value }));
  const outcome = await harness.submit({ respondentId, responses, metadata: { complete } }, { caller: signedCaller });
  expect(outcome).toMatchObject({ code: "submitted" });
}

const options = () => callOptions({ signedCaller: harness.signed() });
const asked = (body: object) => ({ surveyId, bodyJson: JSON.stringify(body) });
const crosstab = async (body: object) =>
  JSON.parse((await harness.client.countCrosstab(asked(body), options())).crosstabJson);
const series = async (body: object) =>
  JSON.parse((await harness.client.computeSeries(asked(body), options())).seriesJson);
const detailsOf = async (reading: Promise<unknown>) => (await refusal(reading)).details;

test("a crosstab counts the answers that stand, by name and by id, and takes filters", async () => {
  await answer({ [gender]: woman, [colours]: [red, green], [grid]: { [taste]: good } }, { plan: "pro" });
  await answer({ [gender]: woman, [colours]: [red] }, { plan: "free", complete: false });
  await answer({ [gender]: man, [colours]: [green], [grid]: { [taste]: bad } }, { plan: "pro" });
  await answer({ [gender]: man }, { live: false });
  const both = await crosstab({ rows: { name: "GENDER" }, columns: { elementId: colours } });
  expect(both).toMatchObject({
    surveyId,
    basis: "answers",
    percentagesOf: "answered",
    matched: 3,
    counted: 3,
    answers: 4,
    missing: {
      rows: 0,
      columns: 0,
      both: 0,
    },
    rowVariable: {
      elementId: gender,
      name: "gender",
      text: "Gender",
      isMultiple: false,
    },
    columnVariable: {
      elementId: colours,
      isMultiple: true,
    },
    chiSquare: null,
    chiSquareAbsent: "several_answers",
    weighting: null,
  });
  expect(both.rows[0]).toMatchObject({
    id: woman,
    label: "Woman",
    code: "w",
    total: {
      respondents: 2,
      ofTotal: 66.67,
      byAnswers: {
        answers: 3,
        ofTotal: 75,
      },
    },
    cells: [
      {
        respondents: 2,
        ofRow: 100,
        ofColumn: 100,
        ofTotal: 66.67,
      },
      {
        respondents: 1,
        ofRow: 50,
        ofColumn: 50,
        ofTotal: 33.33,
      },
    ],
  });
  const row = await crosstab({ rows: { name: "grid", part: ["Taste"] }, columns: { field: "plan" } });
  expect(row).toMatchObject({
    counted: 2,
    missing: { rows: 1, columns: 0, both: 0 },
    rowVariable: { part: [{ id: taste, label: "Taste" }] },
  });
  const columns = row.columns.map(({ label, total }: Shown) => [label, total]);
  expect(columns).toEqual([
    ["free", { respondents: 0, ofTotal: 0 }],
    ["pro", { respondents: 2, ofTotal: 100 }],
  ]);
  const matched = async (filter: object) => (await crosstab({ rows: { known: "versionNumber" }, ...filter })).matched;
  expect(await matched({ completed: true })).toBe(2);
  expect(await matched({ fields: { plan: "pro" } })).toBe(2);
  expect(await matched({ where: { name: "gender", operator: "equals", value: "w" } })).toBe(2);
  expect(await matched({ to: "2026-03-01T11:00:00Z" })).toBe(0);
});

test("a filter by a hidden number finds it however it is written, in tables and in lists", async () => {
  for (const seats of [1e-7, 1e21, 5]) {
    const bodyJson = JSON.stringify({ fields: { seats } });
    await harness.client.startRespondent({ surveyId, bodyJson }, options());
  }
  harness.clock.advance(1);
  const found = async (seats: string) => {
    const { matched } = await crosstab({ rows: { known: "versionNumber" }, fields: { seats } });
    const listed = await harness.client.listRespondents({ surveyId, limit: 10, fields: { seats } }, options());
    return [matched, listed.respondents.length];
  };
  for (const seats of ["1e-7", "0.0000001", "1e+21", "1000000000000000000000", "5"])
    expect([seats, await found(seats)]).toEqual([seats, [1, 1]]);
  expect(await found("6")).toEqual([0, 0]);
});

test("weights bring the respondents to their targets, and their cost is reported", async () => {
  for (const [one, years] of [
    [woman, 20],
    [woman, 20],
    [woman, 50],
    [man, 50],
  ] as const)
    await answer({ [gender]: one, [age]: years });
  await answer({ [age]: 20 });
  const weights = [
    {
      name: "gender",
      targets: [
        { category: "w", size: 50 },
        { category: "Man", size: 50 },
      ],
    },
  ];
  const found = await crosstab({ rows: { name: "age", edges: [30] }, weights });
  expect(found.rows.map(({ label, total }: Shown) => [label, total.respondents, total.weighted])).toEqual([
    ["under 30", 3, 2.3333],
    ["30 and over", 2, 2.6667],
  ]);
  expect(found.weighting).toMatchObject({
    converged: true,
    variables: [{ variable: { name: "gender" }, withoutTarget: 1, unreached: [] }],
  });
  // By hand: 5² / (3 × (2/3)² + 2² + 1²).
  expect(found.weighting.effectiveSize).toBeCloseTo(25 / (3 * (2 / 3) ** 2 + 4 + 1), 3);
});

test("a series shows NPS by the day of the workspace or of another zone", async () => {
  harness.clock.set(new Date("2026-03-01T22:30:00Z"));
  await answer({ [recommend]: 10 });
  harness.clock.set(new Date("2026-03-01T23:30:00Z"));
  await answer({ [recommend]: 3 });
  await answer({ [recommend]: 9 });
  const found = await series({ name: "recommend", by: "day", measure: "nps" });
  expect(found).toMatchObject({
    surveyId,
    timeZone: "Europe/Berlin",
    matched: 3,
    counted: 3,
    missing: 0,
  });
  expect(found.points).toEqual([
    { from: "2026-03-01", respondents: 1, value: 100, promoters: 1, passives: 0, detractors: 0 },
    { from: "2026-03-02", respondents: 2, value: 0, promoters: 1, passives: 0, detractors: 1 },
  ]);
  const other = await series({
    elementId: recommend,
    by: "month",
    measure: "share",
    categories: ["10", "9"],
    timeZone: "UTC",
  });
  expect(other.points).toEqual([{ from: "2026-03-01", respondents: 3, value: 66.67 }]);
  expect((await series({ name: "gender", by: "week", measure: "share", categories: ["w"] })).points).toEqual([]);
});

test("wrong requests list every violation at its place", async () => {
  const details = await detailsOf(
    crosstab({
      rows: { name: "nothing", edges: [3, 3] },
      columns: { name: "grid" },
      weights: [
        {
          name: "colours",
          targets: [
            { category: "Red", size: 1 },
            { category: "Blue", size: 1 },
          ],
        },
        {
          field: "plan",
          part: ["x"],
          targets: [
            { category: "a", size: 1 },
            { category: "a", size: 1 },
          ],
        },
      ],
      from: "2026-02-03T00:00:00Z",
      to: "2026-02-01T00:00:00Z",
      fields: { nobody: "1" },
      where: { name: "nothing", operator: "answered" },
    }),
  );
  expect(details).toEqual({
    "rows.name": ["must name a question of the survey"],
    "columns.part": ["must name one more of its parts: Taste, Smell"],
    "weights.0": ["must not take several answers"],
    "weights.0.targets.1.category": ["must name a category"],
    "weights.1.part": ["goes with a question only"],
    to: ["must be after from"],
    "fields.nobody": ["must name a hidden field of the survey"],
    "where.name": [expect.any(String)],
  });
  const tiny = [
    { category: "w", size: 1e-300 },
    { category: "m", size: 1 },
  ];
  expect(await detailsOf(crosstab({ rows: { name: "gender" }, weights: [{ name: "gender", targets: tiny }] }))).toEqual(
    {
      "weights.0.targets.0.size": ["must be a number from 1e-15 to 1e15"],
    },
  );
  const codes = (body: object) => detailsOf(crosstab(body));
  expect(await codes({})).toEqual({ rows: ["is required"] });
  expect(await codes({ rows: {}, columns: { name: "why" }, where: 3, fields: { plan: 3 } })).toMatchObject({
    where: [expect.any(String)],
    "fields.plan": [expect.any(String)],
  });
  expect(await codes({ rows: {}, columns: { name: "why" } })).toEqual({
    rows: ["must be one of elementId, name, field, known"],
    "columns.name": ["must name a question that asks for choices, a scale, numbers or dates"],
  });
  expect(
    await codes({ rows: { name: "gender", edges: [1], unit: "day" }, columns: { name: "grid", part: ["Taste", "x"] } }),
  ).toEqual({
    "rows.edges": ["goes with numbers only"],
    "rows.unit": ["goes with dates and times only"],
    "columns.part.1": ["is one part too many"],
  });
  expect(
    await detailsOf(series({ name: "age", by: "day", measure: "nps", categories: ["1"], timeZone: "Mars/Olympus" })),
  ).toEqual({
    timeZone: [expect.any(String)],
    categories: ["goes with a share only"],
    measure: ["must be mean for this variable"],
  });
  expect(await detailsOf(series({ name: "gender", by: "day", measure: "share", categories: ["x"] }))).toEqual({
    "categories.0": ["must name a category"],
  });
  for (const surveyId of ["another000000000", "\0"]) {
    expect(
      await refusal(harness.client.countCrosstab({ surveyId, bodyJson: '{"rows":{"name":"gender"}}' }, options())),
    ).toMatchObject({ code: "survey_not_found" });
  }
});

test("too many values are refused by the thread with their place", async () => {
  await answer({ [age]: 0 }, { plan: "plan 0" });
  await harness.sql(`WITH copies AS (
      INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous,
        started_at, last_seen_at, fields)
      SELECT workspace_id, survey_id, lpad(n::text, 16, '0'), version_id, version_number, false, false,
        started_at, last_seen_at, jsonb_build_object('plan', 'plan ' || n) FROM respondents, generate_series(1, 59) AS n)
    INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
    SELECT workspace_id, survey_id, lpad(n::text, 16, '0'), part, submitted_at, jsonb_build_object('${age}', n)
    FROM answer_sets, generate_series(1, 59) AS n`);
  expect(await detailsOf(crosstab({ rows: { name: "age" }, columns: { field: "plan" } }))).toEqual({
    columns: ["must not make a table of more than 2500 cells"],
  });
});

test("when the caller leaves, the database stops counting", async () => {
  const blocker = await harness.pool.connect();
  await blocker.query("BEGIN; LOCK TABLE answer_sets IN ACCESS EXCLUSIVE MODE");
  const backends = async (state: string) =>
    (
      await harness.sql(`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'canvass-results' ${state}`)
    ).length;
  const leaving = new AbortController();
  const asking = harness.client.countCrosstab(asked({ rows: { name: "gender" } }), {
    ...options(),
    signal: leaving.signal,
  });
  const outcome = asking.then(
    () => "counted",
    () => "left",
  );
  await waitFor(async () => (await backends("AND wait_event_type = 'Lock'")) > 0, { describe: "the count" });
  leaving.abort();
  expect(await outcome).toBe("left");
  await waitFor(async () => (await backends("")) === 0, { describe: "its end" });
  await blocker.query("ROLLBACK");
  blocker.release();
});

test("full anonymity: tables show no few people, with filters, cells or weights", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  for (let index = 0; index < 6; index += 1) {
    await answer({ [gender]: woman, [colours]: [index === 0 ? red : green] });
    await answer({ [gender]: man, [colours]: [green] });
  }
  expect(
    await refusal(
      crosstab({ rows: { name: "colours" }, where: { name: "colours", operator: "contains", value: "Red" } }),
    ),
  ).toMatchObject({ code: "validation_failed" });
  const found = await crosstab({ rows: { name: "gender" }, columns: { name: "colours" } });
  expect(found.rows.map(({ cells }: Shown) => cells)).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(found.columns.map(({ total }: Shown) => total)).toEqual([
    { respondents: 1, ofTotal: 8.33 },
    { respondents: 11, ofTotal: 91.67 },
  ]);
  const weights = [
    {
      name: "gender",
      targets: [
        { category: "w", size: 1 },
        { category: "m", size: 1 },
      ],
    },
  ];
  expect(await detailsOf(crosstab({ rows: { name: "colours" }, weights }))).toMatchObject({
    weights: [expect.any(String)],
  });
});

/** The tables and series of a report, as it gets them. */
async function reported(request: { crosstab?: object[]; series?: object[]; language?: string; where?: object }) {
  const { crosstab: tables = [], series: measured = [], language = "", where } = request;
  const chunks = await Array.fromAsync(
    harness.client.streamAggregation(
      {
        surveyId,
        language,
        crosstabJson: tables.map((each) => JSON.stringify(each)),
        seriesJson: measured.map((each) => JSON.stringify(each)),
        ...(where && { filter: { whereJson: JSON.stringify(where) } }),
      },
      options(),
    ),
  );
  const { crosstabJson, seriesJson, totalStarted } = chunks[0]!.summary!;
  const parsed = (some: string[]) => some.map((json) => JSON.parse(json));
  return { crosstabs: parsed(crosstabJson), series: parsed(seriesJson), matched: Number(totalStarted) };
}

test("a report has the figures of tables and series, of the respondents whom its filter selects", async () => {
  await answer({ [gender]: woman, [colours]: [red, green], [recommend]: 10 });
  await answer({ [gender]: woman, [colours]: [red], [recommend]: 3 });
  await answer({ [gender]: man, [recommend]: 8, [age]: 30 });
  const table = { rows: { name: "gender" }, columns: { name: "colours" } };
  const nps = { name: "recommend", by: "week", measure: "nps" };
  for (const where of [undefined, { name: "gender", operator: "equals", value: "w" }]) {
    const filter = where && { where };
    expect(await reported({ crosstab: [table, { rows: { name: "age" } }], series: [nps], ...filter })).toEqual({
      crosstabs: [await crosstab({ ...table, ...filter }), await crosstab({ rows: { name: "age" }, ...filter })],
      series: [await series({ ...nps, ...filter })],
      matched: where ? 2 : 3,
    });
  }
});

test("tables of a report are asked by the original's texts, and shown in the language of the report", async () => {
  const german: Record<string, Record<string, string>> = {
    [gender]: { text: "Geschlecht", [`choices.${woman}`]: "Frau" },
    [grid]: { [`rows.${taste}`]: "Geschmack" },
  };
  const textsOf = ({ elementId }: { elementId: string }) =>
    Object.fromEntries(Object.entries(german[elementId] ?? {}).map(([place, text]) => [place, { text, source: "" }]));
  const translated = questions.map((question) => ({ ...question, translations: { de: textsOf(question) } }));
  harness.survey.languages = new Set(["de"]);
  publishNext(harness.survey, { ...definitionOf([translated]), fields });
  await answer({ [gender]: woman, [grid]: { [taste]: good } });
  const rows = { name: "grid", part: ["Taste"] };
  const share = { name: "gender", by: "day", measure: "share", categories: ["Woman"] };
  const weights = [
    {
      name: "gender",
      targets: [
        { category: "Woman", size: 1 },
        { category: "Man", size: 1 },
      ],
    },
  ];
  const { crosstabs, series: shares } = await reported({
    crosstab: [{ rows, columns: { name: "gender" }, weights }],
    series: [share],
    language: "de-AT",
  });
  expect(crosstabs).toMatchObject([
    {
      rowVariable: { part: [{ label: "Geschmack" }] },
      columns: [{ label: "Frau" }, { label: "Man" }],
      weighting: { variables: [{ variable: { text: "Geschlecht" } }] },
    },
  ]);
  expect(shares).toMatchObject([{ categories: [{ label: "Frau" }], value: 100 }]);
});

test("invalid tables of a report have every violation at its path, with those of its filter", async () => {
  const details = await detailsOf(
    reported({
      crosstab: [{ rows: { name: "nothing" } }, { rows: { name: "gender" }, completed: true }],
      series: [{ name: "age", by: "day", measure: "nps" }, {}, { known: "language", by: "day" }],
      where: { name: "nothing", operator: "answered" },
    }),
  );
  expect(details).toEqual({
    series: [expect.stringContaining("at most 4")],
    "crosstab.0.rows.name": ["must name a question of the survey"],
    "crosstab.1.completed": [expect.stringContaining("is not a known field")],
    "series.0.measure": ["must be mean for this variable"],
    "series.1.by": ["is required"],
    "series.1.measure": ["is required"],
    "series.2.measure": ["is required"],
    "where.name": [expect.any(String)],
  });
  const asText = (texts: string[], id = surveyId) =>
    refusal(Array.fromAsync(harness.client.streamAggregation({ surveyId: id, crosstabJson: texts }, options())));
  expect((await asText(["{", "3"])).details).toEqual({
    "crosstab.0": ["must be JSON"],
    "crosstab.1": ["must be an object"],
  });
  expect((await asText(["{"], "another000000000")).details).toEqual({ "crosstab.0": ["must be JSON"] });
  expect(await asText(['{"rows":{"name":"gender"}}'], "another000000000")).toMatchObject({ code: "survey_not_found" });
  for (let value = 0; value < 60; value += 1) await answer({ [age]: value }, { plan: `plan ${value}` });
  const large = { rows: { name: "age" }, columns: { field: "plan" } };
  expect(await detailsOf(reported({ crosstab: [large, { rows: { name: "age" } }, large] }))).toEqual({
    "crosstab.0.columns": ["must not make a table of more than 2500 cells"],
    "crosstab.2.columns": ["must not make a table of more than 2500 cells"],
  });
});

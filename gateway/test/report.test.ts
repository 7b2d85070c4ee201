import { AggregationSummarySchema } from "@canvass/proto/response";
import { buildQuestions, questionTypeOf } from "@canvass/questions";
import { create } from "@bufbuild/protobuf";
import { createLogger } from "@canvass/telemetry";
import { openBrowser, openContext, seriousFindings } from "@canvass/testing/browser";
import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { exampleCrosstab, exampleSeries } from "../src/plugins/openapi/example-tables.ts";
import { histogramBins } from "../src/report/histogram-bins.ts";
import { createReportRenderer, type ReportPart } from "../src/report/report-renderer.ts";
import { surveyId, someSurvey } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const path = `/response/surveys/${surveyId}/report`;
const hostile = `</style><script>alert("1")</script> & 'مرحبا' "5$" $' $\` $& $$`;

const everyType: { type: string; fields?: object; counts?: Record<string, number> }[] = [
  { type: "short_text" },
  { type: "long_text" },
  { type: "number", counts: { "18": 2, "19": 1 } },
  { type: "multiple_choice", fields: { choices: [hostile, "b"] } },
  { type: "dropdown", fields: { choices: ["a", "b"] } },
  { type: "matrix", fields: { rows: [hostile, "r"], columns: [hostile, "c"] } },
  { type: "dropdown_matrix", fields: { rows: ["r"], columns: [{ text: hostile, options: ["x", "y"] }] } },
  { type: "rating", fields: { typeSettings: { steps: 5, labels: { 1: hostile } } }, counts: { "1": 4, "5": 1 } },
  { type: "nps", counts: { "0": 1, "10": 3 } },
  { type: "yes_no", counts: { true: 3 } },
  { type: "date_time", counts: { "2026-01": 2 } },
  { type: "slider", counts: { "10": 2 } },
  { type: "ranking", fields: { choices: ["a", "b"] } },
  { type: "constant_sum", fields: { choices: ["a", "b"] } },
  { type: "consent", counts: { true: 3 } },
  { type: "contact_info", counts: { firstName: 2 } },
  { type: "form", fields: { rows: ["a", "b"] } },
  { type: "file_upload", counts: { files: 3 } },
];

const formatted = {
  type: "multiple_choice",
  fields: {
    text: "**Which** [cup](https://a.example)? ![x](https://a.example/b.png) <b>",
    textFormat: "markdown",
    choices: ["a", "b"],
  },
};

/** Figures of one question of the type, as the response service streams them. */
function statsOf({ type: name, fields = {}, counts = {} }: (typeof everyType)[number], index = 0) {
  let id = index * 100;
  const built = buildQuestions([{ type: name, text: `${name} ${hostile}`, ...fields }], () =>
    String(++id).padStart(16, "0"),
  );
  if ("violations" in built) throw new Error(JSON.stringify(built.violations));
  const { question } = built.questions[0]!;
  const type = questionTypeOf(question);
  const buckets = new Map(Object.entries(counts));
  for (const { id: row } of question.rows ?? []) {
    for (const column of question.columns ?? []) {
      buckets.set([row, column.id, ...(column.options ? [column.options[0]!.id] : [])].join(":"), 2);
    }
  }
  for (const choice of question.choices ?? []) buckets.set(name === "ranking" ? `${choice.id}:1` : choice.id, 3);
  const stats = { responseCount: 5, buckets, sum: 0n, min: null, max: null };
  return {
    questionId: question.questionId,
    elementId: question.elementId,
    typeName: name,
    responseCount: 5n,
    uniqueRespondents: 5n,
    distributionJson: JSON.stringify(type.distribution(question, stats)),
    questionJson: JSON.stringify(question),
  };
}

const summary = create(AggregationSummarySchema, {
  totalStarted: 9n,
  totalCompleted: 3n,
  averageCompletionSeconds: 200,
  completionTrend: [{ date: "2026-01-01", completions: 1n }],
});

function startReporting(chunks: object[][], asked: object[] = [], opening = summary) {
  return startEdge({
    survey: {
      batchGetSurveys: async ({ surveys }) => ({
        results: surveys.map(() => ({ outcome: { case: "survey", value: someSurvey({ name: hostile }) } as const })),
      }),
    },
    response: {
      async *streamAggregation(request) {
        asked.push(request);
        yield { summary: opening };
        for (const questionStats of chunks) yield { questionStats };
      },
    },
  });
}

test("every question type has a chart and figures, with escaped texts and only one style sheet", async () => {
  const asked: object[] = [];
  await using edge = await startReporting([everyType.map(statsOf)], asked);
  const { value } = edge.services.issueToken(["responses:read"]);
  const answer = await fetch(edge.baseUrl + path, { headers: { authorization: `Bearer ${value}` } });
  const page = await answer.text();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(asked).toMatchObject([{ surveyId, withQuestions: true }]);
  const sections = page.split("<section>").slice(2);
  expect(sections).toHaveLength(everyType.length);
  for (const [index, section] of sections.entries()) {
    // NPS has a sentence of its own.
    const text =
      everyType[index]!.type === "nps" ? "How likely" : `${everyType[index]!.type} &lt;/style&gt;&lt;script&gt;`;
    expect(section).toContain(`${index + 1}</span> ${text}`);
    expect([section.includes("<svg "), section.includes("<table>")]).toEqual([true, true]);
    expect(section).not.toMatch(/NaN|undefined|null|\[object/);
  }
  expect(page).toContain("3 min 20 s");
  // Texts are escaped wherever they stand; no script, no foreign style, no address to load from.
  expect(page.match(/<(script|link|img|iframe|object|a|form)\b|<[^>]* (style|on\w+|href|src)=/gi)).toBeNull();
  expect(page).not.toMatch(/"[^"<>]*<svg/);
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text!);
  expect(styles).toHaveLength(1);
  const policy = answer.headers.get("content-security-policy")!;
  expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(styles[0]!).digest("base64")}'`);
  expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'; sandbox$/);
  expect(page).toContain(`content="${policy.replace("; frame-ancestors 'none'; sandbox", "")}"`);
});

test("hours and months are drawn in the order of time, with earlier first and later last", async () => {
  const times: typeof everyType = [
    { type: "date_time", fields: { typeSettings: { mode: "time" } }, counts: { "13": 2, "07": 1, "23": 3, "00": 4 } },
    { type: "date_time", counts: { later: 1, "2026-01": 2, earlier: 3, "1950-05": 4 } },
  ];
  await using edge = await startReporting([times.map(statsOf)]);
  const { value } = edge.services.issueToken(["responses:read"]);
  const page = await (await fetch(edge.baseUrl + path, { headers: { authorization: `Bearer ${value}` } })).text();
  const labels = page
    .split("<section>")
    .slice(2)
    .map((section) => Array.from(section.matchAll(/<th scope="row"[^>]*>([^<]*)</g), ([, label]) => label));
  expect(labels).toEqual([
    ["00", "07", "13", "23"],
    ["earlier", "1950-05", "2026-01", "later"],
  ]);
});

test("a filter goes along, and the page names it, how many it selects, and the groups of NPS", async () => {
  const asked: object[] = [];
  const nps = { type: "nps", counts: { "0": 1, "8": 1, "10": 3 } };
  const filterWords = ["who have completed", `whose field a is “${hostile}”`];
  await using edge = await startReporting([[statsOf(nps)]], asked, { ...summary, filterWords });
  const { value } = edge.services.issueToken(["responses:read"]);
  const query = "?completed=true&field.a=b&language=de&from=2026-01-01T00:00:00Z&versionNumber=2";
  const answer = await fetch(edge.baseUrl + path + query, { headers: { authorization: `Bearer ${value}` } });
  const page = await answer.text();
  const filter = { completed: true, fields: { a: "b" }, versionNumber: 2, from: { seconds: 1_767_225_600n } };
  expect(asked).toMatchObject([{ language: "de", filter }]);
  expect(asked).not.toHaveProperty("0.filter.language");
  expect(page).toContain("Only 9 people:");
  expect(page).toContain('<li dir="auto">who have completed</li>');
  expect(page).toContain("whose field a is “&lt;/style&gt;&lt;script&gt;");
  expect(page).toMatch(/Promoters \(9–10\)<\/th><td>3<\/td><td>60 %.*Detractors \(0–6\)<\/th><td>1<\/td><td>20 %/);
});

test("the choice Other has its label", async () => {
  const other = { enabled: true, label: "Something else" };
  const choices = { type: "multiple_choice", fields: { choices: ["a", "b"], typeSettings: { other } } };
  await using edge = await startReporting([[statsOf(choices)]]);
  const { text } = await edge.call(path);
  expect(text).toContain("Something else</th><td>0</td>");
  expect(text).not.toContain("No longer offered");
});

test("who wrote several answers, on a page that repeats, is one respondent", async () => {
  const written = { ...statsOf({ type: "long_text" }), responseCount: 15n };
  await using edge = await startReporting([[written]]);
  const { text } = await edge.call(path);
  expect(text).toMatch(/>Answered<\/th><td>5<\/td>.*>Not answered<\/th><td>4<\/td>/);
});

/** Nine columns, one of them withheld, which stand in two tables. */
const wideCrosstab = {
  ...exampleCrosstab,
  columns: Array.from({ length: 9 }, (_, at) => ({ label: `${hostile} ${at}`, total: { respondents: 5 } })),
  rows: exampleCrosstab.rows.map((row) => ({
    ...row,
    cells: Array.from({ length: 9 }, (_, at) => (at === 3 ? null : { respondents: 1 })),
  })),
  chiSquare: null,
};
const oneVariable = { ...exampleCrosstab, columnVariable: null, columns: [], chiSquare: null };
const emptySeries = { ...exampleSeries, counted: 0, missing: 0, value: null, points: [] };
const withGap = [
  ...exampleSeries.points,
  { from: "2026-02-02", respondents: 0, value: null },
  { from: "2026-02-09", respondents: 3, value: null, isWithheld: true },
];

test("tables and series are asked for, drawn with the figures of the service, and free of serious findings", async () => {
  const asked: object[] = [];
  const crosstabs = [exampleCrosstab, wideCrosstab, oneVariable];
  const series = [{ ...exampleSeries, points: withGap }, emptySeries];
  const texts = (some: object[]) => some.map((each) => JSON.stringify(each));
  const computed = { ...summary, crosstabJson: texts(crosstabs), seriesJson: texts(series) };
  await using edge = await startReporting([[statsOf(everyType[5]!)]], asked, computed);
  const { value } = edge.services.issueToken(["responses:read"]);
  const query = new URLSearchParams([
    ["crosstab", '{"rows":1}'],
    ["crosstab", "{"],
    ["series", "3"],
  ]);
  const answer = await fetch(`${edge.baseUrl + path}?${query.toString()}`, {
    headers: { authorization: `Bearer ${value}` },
  });
  const html = await answer.text();
  expect(answer.status).toBe(200);
  expect(asked).toMatchObject([{ crosstabJson: ['{"rows":1}', "{"], seriesJson: ["3"] }]);
  expect(html).not.toMatch(/NaN|undefined|null|\[object| style=|<script/);
  const [first, wide, one, nps, empty] = html.split("<section>").slice(2);
  expect(first).toContain(
    "44 respondents · 2 without an answer to both left out · Chi-square 5.59, 1 degree of freedom",
  );
  expect(first).toMatch(/>Yes<\/th><td>30<\/td><td>20 <small>66.7 %<\/small><\/td><td>10 <small>33.3 %/);
  expect(wide!.match(/<table>/g)).toHaveLength(2);
  expect(wide).toContain("– is withheld");
  expect(wide).not.toContain("<svg");
  expect(one).toMatch(/>Yes<\/th><td>30<\/td><td>68.2 %/);
  expect(nps).toMatch(/>2026-01-19<\/th><td>20<\/td><td>35<\/td><td>11 <small>55 %.*<td>4 <small>20 %/);
  expect(nps).toMatch(/>2026-02-09<\/th><td>3<\/td><td>–<\/td>/);
  expect(nps!.match(/<svg /g)).toHaveLength(2);
  expect(empty).toContain("No answers to count.");

  const { context } = await openContext(await openBrowser(), {
    viewport: { width: 375, height: 800 },
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.setContent(html);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  expect(await seriousFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelectorAll("section")[4].querySelector(".scroll"))`;
  expect(await page.evaluate(hidden)).toBe(0);
  await context.close();
});

test("on paper a heading stays with its plot, a short table in one piece, and the longest plot fits a page", async () => {
  const long = {
    ...exampleCrosstab,
    rows: Array.from({ length: 40 }, (_, at) => ({ ...exampleCrosstab.rows[0], label: `City ${at}` })),
  };
  const days = Array.from({ length: 60 }, (_, at) => ({ ...exampleSeries.points[0], from: `day ${at}` }));
  const texts = (some: object[]) => some.map((each) => JSON.stringify(each));
  const series = texts([{ ...exampleSeries, points: days }]);
  const computed = { ...summary, crosstabJson: texts([exampleCrosstab, long]), seriesJson: series };
  await using edge = await startReporting([], [], computed);
  const { value } = edge.services.issueToken(["responses:read"]);
  const answer = await fetch(`${edge.baseUrl + path}?crosstab=1&crosstab=2&series=1`, {
    headers: { authorization: `Bearer ${value}` },
  });
  const { context } = await openContext(await openBrowser(), {
    viewport: { width: 680, height: 900 },
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.setContent(await answer.text());
  await page.emulateMedia({ media: "print" });
  const breaks = `[...document.querySelectorAll("section")].slice(1).map((section) =>
    [".facts", "svg", "figure"].map((part) => {
      const { breakInside, breakAfter } = getComputedStyle(section.querySelector(part));
      return breakInside + " " + breakAfter;
    }))`;
  const kept = "avoid avoid";
  expect(await page.evaluate(breaks)).toEqual([
    [kept, kept, "avoid auto"],
    [kept, kept, "auto auto"],
    [kept, kept, "auto auto"],
  ]);
  // A page of A4 or Letter has 900 pixels beside margins and a heading.
  const heights = `Math.max(...[...document.querySelectorAll("svg")].map((each) => each.getBoundingClientRect().height))`;
  expect(await page.evaluate(heights)).toBeLessThan(900);
  const dots = `document.querySelectorAll("section:last-of-type svg circle, section:last-of-type svg path[d*=A]").length`;
  expect(await page.evaluate(dots)).toBe(days.length);
  await context.close();
});

test("more tables than a report takes are refused, and a service that computes none is a 503", async () => {
  await using edge = await startReporting([]);
  const asked = (count: number) => edge.call(`${path}?${"crosstab=1&".repeat(count)}`);
  expect(await asked(5)).toMatchObject({
    status: 422,
    body: { error: { details: { crosstab: ["must have at most 4 items"] } } },
  });
  expect((await asked(1)).status).toBe(503);
});

test("Markdown is rendered without addresses, and taken off where there is no HTML", async () => {
  await using edge = await startReporting([[statsOf(formatted)]]);
  const { value } = edge.services.issueToken(["responses:read"]);
  const page = await (await fetch(edge.baseUrl + path, { headers: { authorization: `Bearer ${value}` } })).text();
  expect(page).toContain("1</span> <strong>Which</strong> cup? x &lt;b&gt;</h2>");
  expect(page).not.toContain("a.example");
  expect(page).toContain('aria-label="Which cup? x &lt;b&gt;');
});

test("a long survey is rendered outside of the gateway's event loop", async () => {
  const chunks = Array.from({ length: 4 }, (_, chunk) =>
    Array.from({ length: 50 }, (__, index) => statsOf(everyType[index % everyType.length]!, chunk * 50 + index)),
  );
  await using edge = await startReporting(chunks);
  const { value } = edge.services.issueToken(["responses:read"]);
  using posted = vi.spyOn(Worker.prototype, "postMessage");
  const answer = await fetch(edge.baseUrl + path, { headers: { authorization: `Bearer ${value}` } });
  const page = await answer.text();
  expect(page.split("<section>")).toHaveLength(202);
  expect(page.endsWith("</html>\n")).toBe(true);
  // Another thread draws them all.
  const parts = posted.mock.calls.map(([request]) => (request as { work: ReportPart }).work);
  const drawn = parts.flatMap((part) => (part.kind === "questions" ? part.questions : []));
  expect(drawn).toHaveLength(200);
});

const log = createLogger({ service: "test", level: "silent" });
const figures = { started: 0, completed: 0, averageSeconds: null, trend: [], filterWords: [] };
const opening = { title: "t", at: "2026-01-01T00:00:00Z", includesOffPath: false, ...figures };

test.each([
  ["ends without a word", "parentPort.once('message', () => process.exit(0));"],
  ["throws", "parentPort.once('message', () => { throw new Error('no room'); });"],
  ["hangs", "parentPort.once('message', () => { for (;;); });"],
])("a thread that %s fails its parts and leaves room for others", async (_how, text) => {
  const program = new URL(`data:text/javascript,import { parentPort } from "node:worker_threads"; ${text}`);
  const warn = vi.spyOn(log, "warn");
  await using renderer = createReportRenderer({ log, perWorkspace: 1, total: 1, longestMs: 1_000, program });
  for (let round = 1; round <= 2; round += 1) {
    using report = renderer.open("a");
    const parts = [1, 2].map(() => report.render({ kind: "opening", opening }));
    for (const part of await Promise.allSettled(parts))
      expect(part).toMatchObject({ status: "rejected", reason: { code: "service_unavailable" } });
    expect(warn).toHaveBeenCalledTimes(2 * round);
  }
  warn.mockRestore();
});

test("too many reports at once are refused, by workspace and together, and places come back", async () => {
  await using renderer = createReportRenderer({ log, perWorkspace: 1, total: 2, idleMs: 1_000 });
  const first = renderer.open("a");
  expect(() => renderer.open("a")).toThrow(expect.objectContaining({ code: "rate_limited" }));
  const second = renderer.open("b");
  expect(() => renderer.open("c")).toThrow(expect.objectContaining({ code: "service_unavailable" }));
  first[Symbol.dispose]();
  second[Symbol.dispose]();
  using third = renderer.open("a");
  expect(await third.render({ kind: "opening", opening })).toContain("<title>t: results</title>");
});

test.each([
  [
    [
      { from: 18, to: 19, count: 2 },
      { from: 67, to: 68, count: 1 },
    ],
    ["15 – 19", "65 – 69"],
    11,
  ],
  [[{ from: 3, to: 4, count: 2 }], ["3", "3"], 1],
  [
    [
      { from: -4, to: -3, count: 2 },
      { from: 2, to: 3, count: 1 },
    ],
    ["-4", "2"],
    7,
  ],
  [[{ from: 0.25, to: 0.26, count: 2 }], ["0.25 – <0.26", "0.25 – <0.26"], 1],
  [
    [
      { from: 1e9, to: 1.1e9, count: 2 },
      { from: 1, to: 2, count: 1 },
    ],
    ["0 – <100,000,000", "1,000,000,000 – <1,100,000,000"],
    11,
  ],
  // Settings ask for whole numbers, answers from before have decimals.
  [
    [
      { from: 3.5, to: 3.6, count: 2 },
      { from: 4, to: 4.1, count: 1 },
    ],
    ["3.5 – <3.6", "4 – <4.1"],
    6,
    true,
  ],
  [
    [
      { from: 0, to: 0.1, count: 2 },
      { from: 7.5, to: 7.6, count: 1 },
    ],
    ["0 – <1", "7 – <8"],
    8,
    true,
  ],
  [[{ from: 0, to: 0.01, count: 2 }], ["0 – <0.01", "0 – <0.01"], 1, true],
])("%j becomes bins from %j", (parts, [first, last], count, asksWhole = false) => {
  const isWhole = asksWhole || parts.every(({ from, to }) => to - from === 1);
  const bins = histogramBins(parts, isWhole);
  expect([bins[0]!.label, bins.at(-1)!.label, bins.length]).toEqual([first, last, count]);
  expect(bins.reduce((sum, { value }) => sum + value, 0)).toBe(parts.reduce((sum, part) => sum + part.count, 0));
});

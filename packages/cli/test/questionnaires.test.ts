import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCanvass, type Api } from "@canvass/sdk";
import { expect, test } from "vitest";
import { showImport, showRefused } from "../src/answers/show-import.ts";
import { waitForImport } from "../src/answers/wait-for-import.ts";
import { readBytes } from "../src/documents/whole-file.ts";
import { formatOfName } from "../src/questionnaires/questionnaire-format.ts";
import { countOutcomes, showReport } from "../src/questionnaires/show-report.ts";

test.each([
  ["lunch.xlsx", "xlsform"],
  ["forms/Lunch.XLSX", "xlsform"],
  ["limesurvey_survey_1.lss", "lss"],
  ["My survey.v2.qsf", "qsf"],
] as const)("%s is of the format %s", (name, format) => {
  expect(formatOfName(name)).toBe(format);
});

test.each(["lunch.json", "lunch.yaml"])("%s may be a survey's document, so its format is asked for", (name) => {
  expect(() => formatOfName(name)).toThrow(/give --format: xlsform, lss, qsf, surveyjs\. .*canvass apply/);
});

test.each(["lunch", "lunch.xls", "lunch.lsa", "folder.xlsx/lunch", ".constructor", "a.__proto__"])(
  "%s does not tell a format",
  (name) => {
    expect(() => formatOfName(name)).toThrow(`The format of ${name} is not known; give --format`);
  },
);

const item = (outcome: Api.QuestionnaireItem["outcome"], name: string, ...reasons: string[]) => {
  return { source: "row 2", name, outcome, reasons };
};

test("a report counts all items, and tells why of those that are not as they were", () => {
  const report = [
    item("imported", "dish"),
    item("left_out", "", "runs"),
    item("changed", "why", "is cut", "is\nplain"),
  ];
  expect(countOutcomes(report)).toEqual({ imported: 1, changed: 1, leftOut: 1 });
  expect(showReport(report)).toBe(
    [
      "Items: 1 imported, 1 changed, 1 left out:",
      "",
      "outcome   where  name  why",
      "left out  row 2  -     runs",
      "changed   row 2  why   is cut; is plain",
    ].join("\n"),
  );
  expect(showReport([item("imported", "dish")])).toBe("Items: 1 imported, 0 changed, 0 left out.");
});

test("invalid rows are reported by line and column, with the number of all violations, and columns left out are named", () => {
  const none = { total: 3, failed: 0, violations: 0, errors: [], columnsLeftOut: [] };
  expect(showRefused(none)).toBe("");
  expect(showRefused({ ...none, columnsLeftOut: ["Link", "Version"] })).toBe("Columns left out: Link, Version");
  const errors = [
    { line: 4, column: "dish", message: "must be known" },
    { line: 12, column: "", message: "is odd" },
  ];
  expect(showRefused({ ...none, failed: 3, violations: 5, errors })).toBe(
    [
      "line  column  why",
      "4     dish    must be known",
      "12    -       is odd",
      "",
      "These are the first 2 of 5 violations.",
    ].join("\n"),
  );
});

test("rows that are invalid for one reason are reported once", () => {
  const required = [2, 3, 4, 7].map((line) => ({ line, column: "dish", message: "is required" }));
  const odd = Array.from({ length: 9 }, (_, n) => ({ line: 2 * n + 3, column: "wine", message: "is odd" }));
  const errors = [...required, ...odd].toSorted((one, other) => one.line - other.line);
  const told = showRefused({ total: 30, failed: 11, violations: 13, errors, columnsLeftOut: [] });
  expect(told.split("\n").slice(1)).toEqual([
    "2-4, 7                         dish    is required",
    "3, 5, 7, 9, 11, 13, 15, 17, …  wine    is odd",
  ]);
});

test("an import shows its progress and its result", () => {
  const counts = { total: 4, imported: 2, skipped: 1, failed: 0, violations: 0, errors: [], columnsLeftOut: [] };
  const shown = (status: string, error: object | null = null) =>
    showImport({ ...counts, status, percentComplete: 75, error });
  const done = "Of 4 rows 2 were imported, 1 skipped (stored before) and 0 refused";
  expect(shown("completed")).toBe(`${done}.`);
  expect(shown("processing")).toBe(`${done} so far (processing, 75 %).`);
  expect(shown("failed", { message: "The disk is full." })).toBe("The import failed. The disk is full.");
});

test.each([
  ["from the start", ["away", "away", "completed"], 60_000],
  ["once it has run for longer than an outage may", ["processing", "away", "away", "completed"], 400],
])("an import is waited for while the API is away %s", async (_name, states, longestMs) => {
  const meta = { timestamp: "2026-11-26T00:00:00.000Z", version: "1.0", requestId: "r" };
  let reads = 0;
  const server = createServer(({ method }, response) => {
    const status = method === "GET" ? states[reads++] : "queued";
    if (status === "away") return void response.destroy();
    const job = { id: "i1", status, percentComplete: 0, total: 2 };
    response.writeHead(method === "GET" ? 200 : 202, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, data: job, meta }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  using _ = { [Symbol.dispose]: () => server.close().closeAllConnections() };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const canvass = createCanvass({ url, token: "cvs_live_x", retries: 0 });
  const queued = await canvass.responses.import("s", { csv: "stars\n4\n5" });
  const lines: string[] = [];
  const around = { note: (line: string) => void lines.push(line), progress: () => {} };
  expect(await waitForImport(queued, around, { pollMs: 5, longestMs })).toMatchObject({
    status: "completed",
    total: 2,
  });
  expect(lines).toEqual([expect.stringContaining("nothing is lost"), "The API answers again."]);
});

test("a file is read unchanged; a larger one than any import takes is refused, such as an endless device", async () => {
  expect(Buffer.from(await readBytes(import.meta.filename)).toString()).toContain("a device without end");
  await expect(readBytes("/dev/zero")).rejects.toThrow("/dev/zero is larger than 64 MiB");
  await expect(readBytes("/tmp")).rejects.toThrow("/tmp cannot be read (EISDIR");
});

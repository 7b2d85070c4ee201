import type { Api } from "@canvass/sdk";
import { expect, test } from "vitest";
import { showRefused } from "../src/answers/show-import.ts";
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

test("wrong rows are told by line and column, and how many violations are not shown", () => {
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

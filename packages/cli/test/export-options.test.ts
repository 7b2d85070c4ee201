import { expect, test } from "vitest";
import { exportOptions, exportRequest } from "../src/exports/export-options.ts";
import { progressBar } from "../src/exports/progress-bar.ts";

const names = Object.keys(exportOptions) as (keyof typeof exportOptions)[];
const none = Object.fromEntries(names.map((name) => [name, undefined])) as Parameters<typeof exportRequest>[1];

test("options become the request, and absent ones are left out", () => {
  expect(exportRequest("csv", none)).toEqual({ format: "csv" });
  const given = {
    partial: true,
    offPath: true,
    order: true,
    unescaped: true,
    links: "l1, l2",
    version: "2",
    fields: "",
  };
  const asked = { ...given, where: '{"field":"plan","operator":"answered"}', contactFields: "email,attributes.team" };
  expect(exportRequest("csv", { ...none, ...asked })).toEqual({
    format: "csv",
    includePartial: true,
    includeOffPath: true,
    includeOrder: true,
    escapeFormulas: false,
    distributorIds: ["l1", "l2"],
    versionNumber: 2,
    fields: [],
    contactFields: ["email", "attributes.team"],
    where: { field: "plan", operator: "answered" },
  });
  expect(() => exportRequest("csv", { ...none, where: "{" })).toThrow("--where is no JSON");
});

test("the bar fills with the percentage", () => {
  const bars = [0, 50, 100].map((percent) => progressBar(percent, "made"));
  expect(bars).toEqual([
    `[${"-".repeat(24)}] 0 % made`,
    `[${"#".repeat(12)}${"-".repeat(12)}] 50 % made`,
    `[${"#".repeat(24)}] 100 % made`,
  ]);
});

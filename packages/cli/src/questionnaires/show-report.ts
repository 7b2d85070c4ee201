import type { Api } from "@canvass/sdk";
import { showTable } from "../show-table.ts";

/** Counts what became of the items of a file. */
export function countOutcomes(report: readonly Api.QuestionnaireItem[]) {
  const count = (wanted: Api.QuestionnaireItem["outcome"]) => report.filter(({ outcome }) => outcome === wanted).length;
  return { imported: count("imported"), changed: count("changed"), leftOut: count("left_out") };
}

/** Shows how many items were imported, and in the order of the file those changed or left out, with the reasons. */
export function showReport(report: readonly Api.QuestionnaireItem[]): string {
  const { imported, changed, leftOut } = countOutcomes(report);
  const counts = `Items: ${imported} imported, ${changed} changed, ${leftOut} left out`;
  const rows = report
    .filter(({ outcome }) => outcome !== "imported")
    .map(({ source, name, outcome, reasons }) => [words[outcome], source, name || null, reasons.join("; ")]);
  return rows.length === 0 ? `${counts}.` : `${counts}:\n\n${showTable(["outcome", "where", "name", "why"], rows)}`;
}

const words: Readonly<Record<Api.QuestionnaireItem["outcome"], string>> = {
  imported: "imported",
  changed: "changed",
  left_out: "left out",
};

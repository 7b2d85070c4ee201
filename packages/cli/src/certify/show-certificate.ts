import { showTable } from "../show-table.ts";
import type { CaseResult, Certificate } from "./certify.ts";

const MARKS = { passed: "✔", finding: "✖", skipped: "-" } as const;
const LONGEST_TEXT = 100;

/** Returns the scorecard for people: all cases, then what to change. */
export function showCertificate({ receiver, passed, findings, skipped, cases }: Certificate): string {
  const rows = cases.map((each) => {
    return [MARKS[each.result], each.name, each.answer, each.answer === null ? null : each.ms, each.checks];
  });
  const counts = [`${passed} passed`, `${findings} finding${findings === 1 ? "" : "s"}`, `${skipped} not sent`];
  return [
    showTable(["", "case", "answer", "ms", "what is sent, and what must come back"], rows),
    "",
    ...cases.flatMap(explainCase),
    `${receiver}: ${counts.join(", ")}.`,
  ].join("\n");
}

function explainCase({ name, result, advice, text }: CaseResult): string[] {
  if (result !== "finding") return [];
  const said = text.replaceAll(/\s+/g, " ").trim().slice(0, LONGEST_TEXT);
  return [`✖ ${name}: ${advice}`, ...(said === "" ? [] : [`  The answer: ${said}`]), ""];
}

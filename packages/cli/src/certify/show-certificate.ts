import type { CaseResult, Certificate } from "./certify.ts";

const MARKS = { passed: "✔", finding: "✖", skipped: "-" } as const;
const LONGEST_TEXT = 100;

/** Returns the scorecard for people. */
export function showCertificate({ receiver, passed, findings, skipped, cases }: Certificate): string {
  const rows = cases.map((each) => [each.name, each.answer ?? "", each.answer === null ? "" : `${each.ms} ms`]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = cases.flatMap((each, index) => {
    const [name, answer, ms] = rows[index]!;
    const line = `${MARKS[each.result]} ${name!.padEnd(widths[0]!)}  ${answer!.padEnd(widths[1]!)}  ${ms!.padStart(widths[2]!)}  ${each.checks}`;
    return [line, ...explained(each)];
  });
  const counts = [`${passed} passed`, `${findings} finding${findings === 1 ? "" : "s"}`, `${skipped} not sent`];
  return [...lines, "", `${receiver}: ${counts.join(", ")}.`].join("\n");
}

function explained({ result, advice, text }: CaseResult): string[] {
  if (result !== "finding") return [];
  const said = text.replaceAll(/\s+/g, " ").trim().slice(0, LONGEST_TEXT);
  return [`    ${advice}`, ...(said === "" ? [] : [`    The answer: ${said}`])];
}

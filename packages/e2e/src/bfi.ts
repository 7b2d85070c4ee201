import { parse } from "csv-parse/sync";
import { readFileSync } from "node:fs";

/** One item of the survey. */
export interface BfiItem {
  /** Column in responses.csv. */
  key: string;
  text: string;
  kind: "rating" | "choice" | "number";
  /** Labels of a choice item, in the order of the codes 1, 2, ... */
  choices?: string[];
}

/** A respondent's codes by item key. Unanswered items are absent. */
export type BfiRespondent = Map<string, number>;

const labels: Record<string, string[]> = {
  gender: ["Male", "Female"],
  education: ["In high school", "Finished high school", "Some college", "College graduate", "Graduate degree"],
};
const texts: Record<string, string> = {
  gender: "What is your gender?",
  education: "What is your education?",
  age: "How old are you?",
};

/** Reads the 28 items of the data set in file order. */
export function readBfiItems(): BfiItem[] {
  return rowsOf("items.csv").map((row) => {
    const key = row["rownames"]!;
    const choices = labels[key];
    if (choices) return { key, text: texts[key]!, kind: "choice", choices };
    return key === "age" ? { key, text: texts[key]!, kind: "number" } : { key, text: row["Item"]!, kind: "rating" };
  });
}

export function readBfiRespondents(items: readonly BfiItem[]): BfiRespondent[] {
  return rowsOf("responses.csv").map(
    (row) => new Map(items.filter(({ key }) => row[key] !== "").map(({ key }) => [key, Number(row[key])])),
  );
}

function rowsOf(file: string): Record<string, string>[] {
  const text = readFileSync(new URL(`../data/bfi/${file}`, import.meta.url), "utf8");
  return parse(text, { columns: true, skip_empty_lines: true });
}

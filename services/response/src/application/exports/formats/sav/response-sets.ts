import { longestName, withDigest } from "../../../../domain/exports/variable-names.ts";
import { cutText, longestLabel } from "./labels.ts";
import type { Variable } from "./variables.ts";

/** Returns a line of record 7 for each multiple response set: the choices of one question or of one part of it. */
export function responseSets(variables: readonly Variable[]): string {
  const chosen = variables.filter(({ column }) => column.chosen);
  const sets = Map.groupBy(chosen, ({ column }) => column.setName);
  return [...sets.values()].map((set) => (set.length > 1 ? lineOf(set) : "")).join("");
}

function lineOf(set: readonly Variable[]): string {
  const { part, setName } = set[0]!.column;
  const { question, path } = part!;
  const text = [question.text, ...path.map(({ label: entry }) => entry)].join(": ");
  // `$` keeps a set's name apart from every variable's, and counts in its length.
  const name = `$${setName!.length < longestName ? setName! : withDigest(setName!, setName!)}`;
  const label = cutText(text.replaceAll(/\s+/g, " "), longestLabel.variable);
  const names = set.map(({ shortName }) => shortName.toLowerCase()).join(" ");
  return `${name}=D1 1 ${label.length} ${label.toString()} ${names}\n`;
}

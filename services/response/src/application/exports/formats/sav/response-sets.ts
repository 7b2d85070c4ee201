import { cutText, longestLabel } from "./labels.ts";
import { variableName } from "./variable-names.ts";
import type { Variable } from "./variables.ts";

/** Returns a line of record 7 for each multiple response set: the choices of one question or of one part of it. */
export function responseSets(variables: readonly Variable[]): string {
  const chosen = variables.filter(({ column }) => column.chosen);
  const sets = Map.groupBy(chosen, ({ column }) => placeOf(column).id);
  return [...sets.values()].map((set) => (set.length > 1 ? lineOf(set) : "")).join("");
}

function placeOf({ part }: Variable["column"]): { id: string; text: string } {
  const { of, place } = part!;
  const ids = [of.id, ...place.map(({ id }) => id)];
  return { id: ids.join("."), text: [of.text, ...place.map(({ label }) => label)].join(": ") };
}

function lineOf(set: readonly Variable[]): string {
  const { id, text } = placeOf(set[0]!.column);
  // A set and a variable must not have the same name.
  const name = `$${variableName(id).slice(0, 63)}`;
  const label = cutText(text.replaceAll(/\s+/g, " "), longestLabel.variable);
  const names = set.map(({ shortName }) => shortName.toLowerCase()).join(" ");
  return `${name}=D1 1 ${label.length} ${label.toString()} ${names}\n`;
}

import Table from "cli-table3";
import { compactTable } from "../compact-table.ts";
import type { Republication } from "./commute-survey.ts";
import type { Counts } from "./count-answers.ts";

/** One state of the results: computed from the answers, and as the service shows it. */
export interface Compared {
  answered: Counts;
  shown: Counts;
}

/** Prints the changes, and the results of the first version and of both versions. Returns whether all figures agree. */
export function printCommute(
  republication: Republication,
  first: Compared,
  both: Compared,
  output: NodeJS.WritableStream = process.stdout,
): boolean {
  const rows = [...both.answered.keys()].map((name) => resultOf(name, [first, both]));
  const isRight = isChangeRight(republication, first) && rows.every(({ isEqual }) => isEqual);
  output.write(`\n${changeLines(republication)}\n\n${resultTable(rows)}\n\n`);
  output.write(
    isRight
      ? "Everything agrees: answers of both versions count together, those of the retired question stay.\n"
      : "Something differs: see the rows marked with ✗, and the changes.\n",
  );
  return isRight;
}

/** Whether there are three changes that affect everybody who answered, and publishing required an acknowledgement. */
function isChangeRight({ changes, refusedWith, versionNumber }: Republication, { answered }: Compared): boolean {
  const concernsAll = changes.every(({ affectedResponses }) => affectedResponses === answered.get("people"));
  return changes.length === 3 && concernsAll && refusedWith === "acknowledgement_required" && versionNumber === 2;
}

function changeLines({ changes, refusedWith, versionNumber }: Republication): string {
  return [
    "Changes of the draft:",
    ...changes.map(
      ({ question, message, affectedResponses }) => `  ${question} ${message} Concerns ${affectedResponses} answers.`,
    ),
    `Publishing without acknowledgement: ${refusedWith ?? "accepted"}; with it: version ${versionNumber}.`,
  ].join("\n");
}

interface Result {
  name: string;
  figures: (number | undefined)[];
  isEqual: boolean;
}

function resultOf(name: string, states: readonly Compared[]): Result {
  return {
    name,
    figures: states.flatMap(({ answered, shown }) => [answered.get(name), shown.get(name)]),
    isEqual: states.every(({ answered, shown }) => isClose(answered.get(name), shown.get(name))),
  };
}

function resultTable(results: readonly Result[]): string {
  const table = new Table({
    head: ["", "version 1: answered", "service", "both: answered", "service", ""],
    colAligns: ["left", "right", "right", "right", "right", "left"],
    ...compactTable,
  });
  for (const { name, figures, isEqual } of results) table.push([name, ...figures.map(figure), isEqual ? "✓" : "✗"]);
  return table.toString();
}

const isClose = (one = Number.NaN, other = Number.NaN): boolean => Math.abs(one - other) < 1e-12;

const figure = (value: number | undefined): string =>
  value === undefined ? "" : Number.isInteger(value) ? String(value) : value.toFixed(6);

import type { Api } from "@canvass/sdk";
import Table from "cli-table3";
import type { VerifyingReceiver } from "../webhook-receiver.ts";
import { compactTable } from "./compact-table.ts";
import type { ItemComparison } from "./compare-items.ts";
import type { Submitted } from "./submit-all.ts";

export interface Report {
  comparison: ItemComparison[];
  completed: number;
  expected: number;
  submitted: Submitted;
  receiver: VerifyingReceiver;
  feed: Api.FeedEvent[];
}

/** Prints both tables. Returns whether all figures agree. */
export function printReport(report: Report, output: NodeJS.WritableStream = process.stdout): boolean {
  const figures = figuresOf(report);
  const isRight = figures.every(({ isRight }) => isRight) && report.comparison.every(({ isEqual }) => isEqual);
  output.write(`\n${itemTable(report.comparison)}\n\n${figureTable(figures)}\n\n`);
  output.write(
    isRight
      ? "Everything agrees: every answer counted once, every completion delivered once.\n"
      : "Something differs: see the rows marked with ✗.\n",
  );
  return isRight;
}

function itemTable(comparison: readonly ItemComparison[]): string {
  const table = new Table({
    head: ["item", "statement", "count: file", "service", "mean: file", "service", ""],
    colAligns: ["left", "left", "right", "right", "right", "right", "left"],
    ...compactTable,
  });
  for (const { key, text, fileCount, serviceCount, fileMean, serviceMean, isEqual } of comparison) {
    table.push([
      key,
      shorten(text),
      fileCount,
      serviceCount,
      fileMean.toFixed(6),
      serviceMean.toFixed(6),
      mark(isEqual),
    ]);
  }
  return table.toString();
}

interface Figure {
  name: string;
  value: string;
  isRight: boolean;
}

function figuresOf({ completed, expected, submitted, receiver, feed }: Report): Figure[] {
  const feedIds = new Set(feed.map(({ id }) => id));
  const responses = new Set([...receiver.events.values()].map(({ data }) => data["response_id"]));
  const repeated = [...receiver.verified.values()].reduce((sum, times) => sum + times - 1, 0);
  const isSame = feedIds.size === receiver.verified.size && [...feedIds].every((id) => receiver.verified.has(id));
  return [
    { name: "completions", value: `${completed} of ${expected}`, isRight: completed === expected },
    {
      name: "webhooks received and verified",
      value: String(receiver.verified.size),
      isRight: responses.size === expected,
    },
    { name: "webhooks with a bad signature", value: String(receiver.rejected), isRight: receiver.rejected === 0 },
    { name: "webhooks received again", value: String(repeated), isRight: repeated === 0 },
    { name: "events read from the feed", value: String(feed.length), isRight: feed.length === expected },
    { name: "feed events twice", value: String(feed.length - feedIds.size), isRight: feed.length === feedIds.size },
    { name: "feed and webhooks name the same events", value: isSame ? "yes" : "no", isRight: isSame },
    {
      name: "answers per second",
      value: `${Math.round(submitted.answers / submitted.seconds)} (${submitted.answers} in ${submitted.seconds.toFixed(1)} s)`,
      isRight: true,
    },
  ];
}

function figureTable(figures: readonly Figure[]): string {
  const table = new Table(compactTable);
  for (const { name, value, isRight } of figures) table.push([name, value, mark(isRight)]);
  return table.toString();
}

const mark = (isRight: boolean): string => (isRight ? "✓" : "✗");

const shorten = (text: string): string => (text.length > 44 ? `${text.slice(0, 43)}…` : text);

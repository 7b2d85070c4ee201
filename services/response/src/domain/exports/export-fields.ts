import { writtenName, type ExportCell, type ExportLabels, type ExportName } from "@canvass/questions";
import type { LayoutColumn } from "./export-layout.ts";
import type { ExportHeadings, ExportOptions } from "./export-options.ts";
import { makeDistinct } from "./make-distinct.ts";

/** A member of an export's objects: a value, a list of chosen entries, or an object of parts. */
export interface ExportField {
  heading: string;
  /** Returns the JSON text of its value in a row. Null if nothing was answered. */
  write: (cells: readonly ExportCell[]) => string | null;
}

type Placed = LayoutColumn & { index: number };
type Write = ExportField["write"];

export function exportFields(
  columns: readonly LayoutColumn[],
  { labels, headings }: Pick<ExportOptions, "labels" | "headings">,
): ExportField[] {
  const placed = columns.map((column, index) => ({ ...column, index }));
  const groups = [...Map.groupBy(placed, ({ id, part }) => part?.question.id ?? id).values()];
  const names = groups.map(([first]) => {
    const { id, text } = first!.part?.question ?? first!;
    return { id, label: text };
  });
  const texts = distinctNames(names, labels);
  return groups.map((group, index) => {
    const [{ group: name, text, part }] = group as [Placed, ...Placed[]];
    const heading = headingOf(headings, texts[index]!, { name, text: part?.question.text ?? text });
    return { heading, write: writerOf(group, 0, labels) };
  });
}

/** `label` is the column's text, written as the option `labels` asks. */
export function headingOf(
  headings: ExportHeadings | undefined,
  label: string,
  { name, text }: { name: string; text: string },
): string {
  if (headings === "names") return name;
  return headings === "both" ? `${text} [${name}]` : label;
}

/** Writes names as `labels` says. Equal names get their ids, because the keys of an object must be distinct. */
export function distinctNames(names: readonly ExportName[], labels: ExportLabels): string[] {
  const written = names.map((name) => writtenName(name, labels));
  return makeDistinct(written, (index) => writtenName(names[index]!, "both"));
}

function writerOf(columns: readonly Placed[], depth: number, labels: ExportLabels): Write {
  const [first] = columns as [Placed, ...Placed[]];
  if ((first.part?.path.length ?? 0) > depth) return objectWriter(columns, depth, labels);
  return first.chosen ? listWriter(columns, labels) : (cells) => cellText(first, cells[first.index]!);
}

function objectWriter(columns: readonly Placed[], depth: number, labels: ExportLabels): Write {
  const groups = [...Map.groupBy(columns, ({ part }) => part!.path[depth]!.id).values()];
  const names = distinctNames(
    groups.map(([first]) => first!.part!.path[depth]!),
    labels,
  );
  const members = groups.map((group, index) => ({
    key: `${JSON.stringify(names[index])}:`,
    write: writerOf(group, depth + 1, labels),
  }));
  return (cells) => {
    const values = members.map(({ write }) => write(cells));
    if (values.every((value) => value === null)) return null;
    return `{${members.map(({ key }, index) => key + values[index]).join(",")}}`;
  };
}

function listWriter(columns: readonly Placed[], labels: ExportLabels): Write {
  const names = distinctNames(
    columns.map(({ chosen }) => chosen!),
    labels,
  ).map((name) => JSON.stringify(name));
  return (cells) => {
    if (columns.every(({ index }) => cells[index] === null)) return null;
    return `[${names.filter((_, place) => cells[columns[place]!.index] === 1).join(",")}]`;
  };
}

/** Lists and objects are cells of JSON already. */
function cellText({ kind }: Placed, cell: ExportCell): string | null {
  if (cell === null) return null;
  return kind === "list" || kind === "object" ? String(cell) : JSON.stringify(cell);
}

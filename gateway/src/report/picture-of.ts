import { choicesAndOther, type HistogramBar, type Question } from "@canvass/questions";
import type { Bar, Figure, QuestionPicture } from "./figure.ts";
import { histogramBins, holdsWholeNumbers } from "./histogram-bins.ts";
import { numberText } from "./format-text.ts";

type Counts = Record<string, number>;

/** The possible fields of `distribution` in the results. Each question type has some of them. */
export interface Distribution {
  counts?: Counts;
  mean?: number | null;
  min?: number | string | null;
  max?: number | string | null;
  score?: number | null;
  promoters?: number;
  passives?: number;
  detractors?: number;
  histogram?: HistogramBar[];
  means?: Record<string, number | null>;
  ranks?: Record<string, { mean: number | null; counts: Counts }>;
  rows?: Record<string, Record<string, number | Counts>>;
  files?: number;
}

export interface AnsweredQuestion {
  question: Question;
  typeName: string;
  responses: number;
  respondents: number;
  distribution: Distribution;
  started: number;
}

export function pictureOf(answered: AnsweredQuestion): QuestionPicture {
  const { distribution, responses } = answered;
  return { facts: factsOf(distribution), figures: responses === 0 ? [] : figuresOf(answered) };
}

function factsOf({ mean, min, max, score, files }: Distribution): QuestionPicture["facts"] {
  const facts: [string, unknown][] = [
    ["NPS", score],
    ["Mean", mean],
    ["Smallest", min],
    ["Largest", max],
    ["Files", files],
  ];
  return facts.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, numberText(value)]]));
}

function figuresOf({
  question,
  typeName,
  responses,
  respondents,
  distribution,
  started,
}: AnsweredQuestion): QuestionPicture["figures"] {
  const { counts, histogram, means, ranks, rows } = distribution;
  const measure = "Answers";
  if (rows && typeName === "dropdown_matrix") return dropdownFigures(question, rows as never);
  if (rows) return [stackedFigure(question, rows as Record<string, Counts>)];
  if (ranks) {
    const bars = Object.entries(ranks).map(([id, { mean }]) => ({
      label: nameOf(question.choices, id),
      value: mean ?? 0,
    }));
    return [{ kind: "bars", measure: "Mean position, 1 is first", bars: bars.filter(({ value }) => value > 0) }];
  }
  if (means) {
    const bars = Object.entries(means).map(([id, mean]) => ({ label: nameOf(question.choices, id), value: mean ?? 0 }));
    return [{ kind: "bars", measure: "Mean", bars }];
  }
  if (histogram) {
    const isWhole = holdsWholeNumbers(question, { ...distribution, histogram });
    return [{ kind: "columns", measure, bars: histogramBins(histogram, isWhole), of: responses }];
  }
  // No percentages: their base is the respondents who were asked, which is unknown before completion.
  if (!counts) return [{ kind: "bars", measure: "Respondents", bars: answeredBars(respondents, started) }];
  const isOrdered = ["rating", "nps", "date_time"].includes(typeName);
  const entries = [...choicesAndOther(question), ...(question.rows ?? [])];
  const labels = isOrdered ? scaleLabels(question) : plainNames(question, typeName, Object.keys(counts));
  const shown = typeName === "date_time" ? inTimeOrder(counts) : Object.entries(counts);
  const bars: Bar[] = shown.map(([id, value]) => ({
    label: labels.get(id) ?? (isOrdered ? id : nameOf(entries, id)),
    value,
  }));
  const scale: Figure = { kind: isOrdered ? "columns" : "bars", measure, bars, of: responses };
  return typeName === "nps" ? [groupsFigure(distribution, responses), scale] : [scale];
}

/** In JSON, hours with a leading zero come last. */
function inTimeOrder(counts: Counts): [string, number][] {
  const keyOf = (bucket: string) => (bucket === "earlier" ? "" : bucket);
  return Object.entries(counts).toSorted(([a], [b]) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The three groups of NPS. */
function groupsFigure({ promoters = 0, passives = 0, detractors = 0 }: Distribution, responses: number): Figure {
  const bars = [
    { label: "Promoters (9–10)", value: promoters },
    { label: "Passives (7–8)", value: passives },
    { label: "Detractors (0–6)", value: detractors },
  ];
  return { kind: "bars", title: "Groups", measure: "Answers", bars, of: responses };
}

/** For written answers, plots only how many there are. Lists and exports contain the text. */
function answeredBars(respondents: number, started: number): Bar[] {
  const skipped = Math.max(0, started - respondents);
  return [
    { label: "Answered", value: respondents },
    { label: "Not answered", value: skipped },
  ];
}

function stackedFigure(question: Question, rows: Record<string, Counts>): QuestionPicture["figures"][number] {
  const columns = question.columns ?? [];
  const known = new Set(columns.map(({ id }) => id));
  const others = new Set(Object.values(rows).flatMap((cells) => Object.keys(cells).filter((id) => !known.has(id))));
  const ids = [...known, ...others];
  return {
    kind: "stacked",
    parts: ids.map((id) => nameOf(columns, id)),
    rows: rowsOf(question, rows).map(([label, cells]) => ({ label, values: ids.map((id) => cells[id] ?? 0) })),
  };
}

function dropdownFigures(question: Question, rows: Record<string, Record<string, Counts>>): QuestionPicture["figures"] {
  return (question.columns ?? []).map((column) => {
    const cellsOfRows = rowsOf(question, rows).map(([label, columns]) => ({ label, cells: columns[column.id] ?? {} }));
    const options = column.options ?? [];
    const ids = [
      ...new Set([...options.map(({ id }) => id), ...cellsOfRows.flatMap(({ cells }) => Object.keys(cells))]),
    ];
    const values = cellsOfRows.map(({ label, cells }) => ({ label, values: ids.map((id) => cells[id] ?? 0) }));
    return { kind: "stacked", title: column.text, parts: ids.map((id) => nameOf(options, id)), rows: values };
  });
}

function rowsOf<Cells>(question: Question, rows: Record<string, Cells>): [label: string, Cells][] {
  const known = (question.rows ?? []).map(({ id }) => id).filter((id) => rows[id] !== undefined);
  const others = Object.keys(rows).filter((id) => !known.includes(id));
  return [...known, ...others].map((id) => [nameOf(question.rows, id), rows[id]!]);
}

function nameOf(entries: readonly { id: string; text?: string | null }[] | undefined, id: string): string {
  const entry = entries?.find((each) => each.id === id);
  if (id === "") return "(None)";
  return entry ? entry.text || "Without text" : "No longer offered";
}

function plainNames({ typeSettings }: Question, typeName: string, ids: readonly string[]): Map<string, string> {
  // Parts of an address have names such as `postalCode`.
  const words = (id: string) => id.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (typeName === "contact_info") {
    return new Map(ids.map((id) => [id, words(id).replace(/^./, (letter) => letter.toUpperCase())]));
  }
  if (typeName === "form") return new Map();
  const { labels } = typeSettings as { labels?: { yes?: string; no?: string } };
  return new Map([
    ["true", labels?.yes ?? "Accepted"],
    ["false", labels?.no ?? "Not accepted"],
  ]);
}

/** Returns the labels of a scale's steps, such as `5 Excellent`. Steps without a label are left out. */
function scaleLabels({ typeSettings }: Question): Map<string, string> {
  const labels = Object.entries((typeSettings as { labels?: object }).labels ?? {});
  return new Map(
    labels.flatMap(([step, text]) => (/^\d+$/.test(step) && text ? [[step, `${step} ${String(text)}`]] : [])),
  );
}

import type { Series, SeriesPoint } from "./computed-tables.ts";
import { headOf, maxReported, tableMarkup } from "./data-table.ts";
import { npsColours, plotOf } from "./plot.ts";
import { countText, isolated, labelText, numberText, percentText, roundToTenth, variableText } from "./format-text.ts";

const measureWords = { nps: "NPS", mean: "Mean", share: "Share" };
const headWords = { day: "Day", week: "Week from", month: "Month" };
/** More periods are too narrow to show parts of NPS. */
const mostParted = 30;

/** A measure over time: a line, for NPS also its parts, and figures (contract 7.15, 7.21). */
export function seriesSection(series: Series, number: number): string {
  const { variable, measure, points } = series;
  const name = `${measureWords[measure]}: ${variableText(variable)}`;
  const body = points.length === 0 ? '<p class="none">No answers to count.</p>' : figureOf(series, name);
  return `<section><h2><span class="number">Series ${number}</span> ${measureWords[measure]}: ${isolated(variableText(variable))}</h2>
<p class="facts">${factsOf(series).join(" · ")}</p>
${body}</section>\n`;
}

function factsOf({ categories = [], counted, missing, value, measure, by, timeZone }: Series): string[] {
  const chosen = categories.map(({ label }) => isolated(labelText(label))).join(" or ");
  return [
    countText(counted, "respondent", "respondents"),
    ...(missing > 0 ? [`${numberText(missing)} without an answer left out`] : []),
    ...(value === null ? [] : [`${measureWords[measure]}${chosen && ` of ${chosen}`} ${valueText(measure, value)}`]),
    `by the ${by} of the start, ${timeZone}`,
  ];
}

function valueText(measure: Series["measure"], value: number): string {
  if (measure === "mean") return numberText(value);
  return measure === "share" ? `${numberText(roundToTenth(value))} %` : numberText(roundToTenth(value));
}

function figureOf(series: Series, name: string): string {
  const { measure, by, points } = series;
  const label = ({ from }: SeriesPoint) => (by === "month" ? from.slice(0, 7) : from);
  const line = points.map((point) => ({
    label: label(point),
    value: point.value === null ? null : rounded(measure, point.value),
  }));
  const shown = points.filter(({ value }) => value !== null);
  const plots = [
    ...(shown.length > 0 ? [plotOf({ kind: "line", measure: measureWords[measure], points: line }, name)] : []),
    ...(measure === "nps" && shown.length > 0 && shown.length <= mostParted ? [partsPlot(shown, label, name)] : []),
  ];
  const listed = points.slice(-maxReported.rows);
  const isWithheld = points.some((point) => point.isWithheld);
  const notes = [
    ...(measure === "nps" ? ["Promoters answer 9 or 10, passives 7 or 8, detractors 0 to 6."] : []),
    ...(isWithheld ? ["– is withheld: too few people of an anonymous survey."] : []),
    ...(listed.length < points.length
      ? [`The table shows the last ${listed.length} of ${numberText(points.length)}.`]
      : []),
  ];
  const table = tableMarkup({
    name,
    corner: headWords[by],
    heads: headsOf(measure),
    rows: listed.map((point) => ({ label: label(point), cells: cellsOf(measure, point) })),
  });
  const note = notes.length > 0 ? `<p class="note">${notes.join(" ")}</p>` : "";
  // With the groups of NPS the table is too wide for a place beside the plot.
  const place = measure === "nps" ? "below" : "beside";
  return `<figure class="${place}"><div>${plots.join("\n")}</div><div>${table}</div>${note}</figure>`;
}

const rounded = (measure: Series["measure"], value: number): number =>
  measure === "mean" ? Math.round(value * 100) / 100 : roundToTenth(value);

const parts = ["Promoters", "Passives", "Detractors"];
const partsOf = ({ promoters = 0, passives = 0, detractors = 0 }: SeriesPoint) => [promoters, passives, detractors];

function partsPlot(points: readonly SeriesPoint[], label: (point: SeriesPoint) => string, name: string): string {
  const rows = points.map((point) => ({ label: label(point), values: partsOf(point) }));
  return plotOf({ kind: "stacked", parts, colours: npsColours, rows }, `${name}, in parts`);
}

function headsOf(measure: Series["measure"]): string[] {
  const parted = parts.map((part, index) => headOf(part, npsColours[index]));
  return [headOf("Respondents"), headOf(measureWords[measure]), ...(measure === "nps" ? parted : [])];
}

function cellsOf(measure: Series["measure"], point: SeriesPoint): string[] {
  const { respondents, value } = point;
  const shown = value === null ? (respondents > 0 ? "–" : "") : valueText(measure, value);
  const share = (part: number) =>
    value === null ? shown : `${numberText(part)} <small>${percentText(part, respondents)}</small>`;
  return [numberText(respondents), shown, ...(measure === "nps" ? partsOf(point).map(share) : [])];
}

import type { Crosstab, CrosstabRow, Respondents } from "./computed-tables.ts";
import { headOf, maxReported, tableMarkup } from "./data-table.ts";
import { escapeHtml } from "@canvass/values";
import type { Figure } from "./figure.ts";
import { mostDrawn, partColours, plotOf } from "./plot.ts";
import { countText, isolated, labelText, numberText, percentText, roundToTenth, variableText } from "./format-text.ts";

/** With more columns the table stands below the plot. */
const mostBeside = 3;

/** A table of one or two variables: a plot, figures, and their base (contract 7.15, 7.20). */
export function crosstabSection(crosstab: Crosstab, number: number): string {
  const { rowVariable, columnVariable, counted } = crosstab;
  const texts = [rowVariable, ...(columnVariable ? [columnVariable] : [])].map(variableText);
  const name = texts.join(" by ");
  const body = counted === 0 ? '<p class="none">No answers to count.</p>' : figureOf(crosstab, name);
  return `<section><h2><span class="number">Table ${number}</span> ${texts.map(isolated).join(" by ")}</h2>
<p class="facts">${factsOf(crosstab).join(" · ")}</p>
${body}</section>\n`;
}

function factsOf({ matched, counted, columnVariable, chiSquare, weighting }: Crosstab): string[] {
  const lacking = matched - counted;
  const what = columnVariable ? "an answer to both" : "an answer";
  const weights = weighting?.variables.map(({ variable }) => isolated(variableText(variable))).join(", ");
  return [
    countText(counted, "respondent", "respondents"),
    ...(lacking > 0 ? [`${numberText(lacking)} without ${what} left out`] : []),
    ...(weighting
      ? [`weighted by ${weights}, effective size ${numberText(roundToTenth(weighting.effectiveSize))}`]
      : []),
    ...(chiSquare
      ? [
          `Chi-square ${numberText(chiSquare.value)}, ${countText(chiSquare.degreesOfFreedom, "degree", "degrees")} of freedom, ${probability(chiSquare.p)}`,
        ]
      : []),
  ];
}

const probability = (p: number): string => (p < 0.001 ? "p\u00a0&lt;\u00a00.001" : `p\u00a0=\u00a0${p.toFixed(3)}`);

/** The counts, weighted if there are weights. */
const sizeOf = ({ respondents, weighted = respondents }: Respondents): number => weighted;

function figureOf(crosstab: Crosstab, name: string): string {
  const figure = plotFigure(crosstab);
  const plot = figure ? plotOf(figure, name) : "";
  const notes = notesOf(crosstab, figure);
  const note = notes.length > 0 ? `<p class="note">${notes.join(" ")}</p>` : "";
  const place = crosstab.columns.length <= mostBeside ? "beside" : "below";
  return `<figure class="${place}">${plot}<div>${tableOf(crosstab, name)}</div>${note}</figure>`;
}

/**
 * Leaves out rows with a withheld cell, because their shares would be of the rest. Undefined if no row is left, or if
 * there are more columns than colours.
 */
function plotFigure({ rows, columns, columnVariable }: Crosstab): Figure | undefined {
  if (!columnVariable) {
    const bars = rows.map(({ label, total }) => ({ label: labelText(label), value: roundToTenth(sizeOf(total)) }));
    return { kind: "bars", measure: "Respondents", bars };
  }
  if (columns.length > partColours) return undefined;
  const whole = rows.filter(isWhole).filter(({ total }) => total.respondents > 0);
  if (whole.length === 0) return undefined;
  const drawn = whole.map(({ label, cells }) => ({
    label: labelText(label),
    values: cells.map((cell) => sizeOf(cell!)),
  }));
  return { kind: "stacked", parts: columns.map(({ label }) => labelText(label)), rows: drawn };
}

const isWhole = ({ cells }: CrosstabRow): boolean => cells.every((cell) => cell !== null);

function tableOf({ rows, columns, columnVariable, counted, weighted = counted }: Crosstab, name: string): string {
  const shown = columns.slice(0, maxReported.columns);
  const listed = rows.slice(0, maxReported.rows);
  if (!columnVariable) {
    const cells = ({ total }: CrosstabRow) => [numberText(total.respondents), percentText(sizeOf(total), weighted)];
    return tableMarkup({
      name,
      heads: [headOf("Respondents"), headOf("Share")],
      rows: listed.map((row) => ({ label: escapeHtml(labelText(row.label)), cells: cells(row) })),
    });
  }
  const isPlotted = columns.length <= partColours;
  const cell = (of: Respondents | null, whole: number) =>
    of === null ? "–" : `${numberText(of.respondents)} <small>${percentText(sizeOf(of), whole)}</small>`;
  return tableMarkup({
    name,
    heads: [headOf("All"), ...shown.map(({ label }, index) => headOf(labelText(label), isPlotted ? index : undefined))],
    rows: [
      {
        label: "All",
        isTotal: true,
        cells: [numberText(counted), ...shown.map(({ total }) => cell(total, weighted))],
      },
      ...listed.map(({ label, total, cells }) => ({
        label: escapeHtml(labelText(label)),
        cells: [
          numberText(total.respondents),
          ...cells.slice(0, shown.length).map((each) => cell(each, sizeOf(total))),
        ],
      })),
    ],
  });
}

function notesOf(
  { rows, columns, rowVariable, columnVariable, weighting, chiSquare }: Crosstab,
  figure?: Figure,
): string[] {
  const drawn = figure?.kind === "stacked" ? figure.rows.length : rows.length;
  const isMultiple = rowVariable.isMultiple || (columnVariable?.isMultiple ?? false);
  const without = weighting?.variables.reduce((sum, { withoutTarget }) => sum + withoutTarget, 0) ?? 0;
  const unreached = weighting?.variables.flatMap((variable) => variable.unreached) ?? [];
  return [
    `Shares are ${weighting ? "weighted and " : ""}of ${columnVariable ? "the row" : "all respondents counted"}.`,
    ...(isMultiple ? ["One person may stand in several, so that shares add up to more than 100 %."] : []),
    ...(columns.length > partColours ? [`Up to ${partColours} columns are plotted.`] : []),
    ...(columnVariable?.isMultiple && figure ? ["The plot has shares of the answers."] : []),
    ...(rows.some((row) => !isWhole(row)) ? ["– is withheld: too few people of an anonymous survey."] : []),
    ...(chiSquare && chiSquare.expectedBelow5 > 0
      ? [`p is rough: ${countText(chiSquare.expectedBelow5, "cell expects", "cells expect")} fewer than 5.`]
      : []),
    ...(weighting && !weighting.converged
      ? ["The targets of the weights are not reached: they contradict each other or the answers."]
      : []),
    ...(without > 0 ? [`${countText(without, "answer", "answers")} to what weighs had no target.`] : []),
    ...(unreached.length > 0 ? [`Nobody is in ${unreached.map(isolated).join(", ")}, which had a target.`] : []),
    ...(drawn > mostDrawn ? [`The plot shows the first ${mostDrawn} of ${numberText(drawn)}.`] : []),
    ...(rows.length > maxReported.rows
      ? [`The table shows the first ${maxReported.rows} of ${numberText(rows.length)} rows.`]
      : []),
    ...(columns.length > maxReported.columns
      ? [`The table shows the first ${maxReported.columns} of ${numberText(columns.length)} columns.`]
      : []),
  ];
}

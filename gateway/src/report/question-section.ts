import { isMarkdown, markdownToHtml, withPlainText, type Question } from "@canvass/questions";
import { escapeHtml } from "@canvass/values";
import { countText, numberText } from "./format-text.ts";
import type { Figure } from "./figure.ts";
import { headOf, maxReported, tableMarkup } from "./data-table.ts";
import { pictureOf, type AnsweredQuestion } from "./picture-of.ts";
import { mostDrawn, partColours, plotOf } from "./plot.ts";

export interface ReportedQuestion extends AnsweredQuestion {
  number: number;
  isCurrent: boolean;
}

export function questionSection(reported: ReportedQuestion): string {
  const { question, number, responses, respondents, isCurrent } = reported;
  const { facts, figures } = pictureOf(reported);
  const title = withPlainText(question).text || "Without text";
  const counted = [
    ...(question.name === undefined ? [] : [escapeHtml(question.name)]),
    countText(responses, "answer", "answers"),
    ...(respondents === responses ? [] : [`${numberText(respondents)} respondents`]),
    ...facts.map(([name, value]) => `${name} ${escapeHtml(value)}`),
    ...(isCurrent ? [] : ["no longer asked"]),
  ];
  return `<section><h2 dir="auto"><span class="number">${number}</span> ${headingOf(question, title)}</h2>
<p class="facts">${counted.join(" · ")}</p>
${figures.map((figure) => figureMarkup(figure, title)).join("\n") || '<p class="none">No answers yet.</p>'}</section>\n`;
}

/** Renders without links and images: a report loads nothing from elsewhere, and leads nowhere. */
function headingOf({ text, typeSettings }: Question, title: string): string {
  return text && isMarkdown(typeSettings) ? markdownToHtml(text, { withLinks: false }) : escapeHtml(title);
}

function figureMarkup(figure: Figure, name: string): string {
  const heading = figure.title ? `<h3 dir="auto">${escapeHtml(figure.title)}</h3>` : "";
  const label = figure.title ? `${name}: ${figure.title}` : name;
  const plot = plotOf(figure, label);
  const table = figure.kind === "stacked" ? stackedTable(figure, label) : barTable(figure);
  return `<figure>${heading}${plot}${table}${restOf(figure)}</figure>`;
}

function barTable({ measure, bars, of }: Exclude<Figure, { kind: "stacked" }>): string {
  const share = (value: number) => (of ? `<td>${numberText(Math.round((value / of) * 1000) / 10)} %</td>` : "");
  const row = ({ label, value }: { label: string; value: number }) =>
    `<tr><th scope="row" dir="auto">${escapeHtml(label)}</th><td>${numberText(value)}</td>${share(value)}</tr>`;
  const head = `<tr><th></th><th scope="col">${measure}</th>${of ? '<th scope="col">Share</th>' : ""}</tr>`;
  const body = bars.slice(0, maxReported.rows).map(row).join("");
  return `<table><thead>${head}</thead><tbody>${body}</tbody></table>`;
}

function stackedTable({ parts, rows }: Extract<Figure, { kind: "stacked" }>, name: string): string {
  const shown = parts.slice(0, maxReported.columns);
  return tableMarkup({
    name,
    heads: shown.map((part, index) => headOf(part, index % partColours)),
    rows: rows.slice(0, maxReported.rows).map(({ label, values }) => ({
      label: escapeHtml(label),
      cells: values.slice(0, shown.length).map(numberText),
    })),
  });
}

function restOf(figure: Figure): string {
  const rows = figure.kind === "stacked" ? figure.rows.length : figure.bars.length;
  const drawn = figure.kind === "columns" ? 2 * mostDrawn : mostDrawn;
  const notes = [
    ...(rows > drawn ? [`The plot shows the first ${drawn} of ${numberText(rows)}.`] : []),
    ...(rows > maxReported.rows ? [`The table shows the first ${maxReported.rows}.`] : []),
    ...(figure.kind === "stacked" && figure.parts.length > maxReported.columns
      ? [`The table shows ${maxReported.columns} of ${numberText(figure.parts.length)} columns.`]
      : []),
  ];
  return notes.length > 0 ? `<p class="note">${notes.join(" ")}</p>` : "";
}

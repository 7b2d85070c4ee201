import { escapeHtml } from "@canvass/values";
import { countText, numberText } from "./format-text.ts";
import { trendPlotOf } from "./plot.ts";
import { reportPolicy, reportStyle } from "./report-style.ts";

export interface ReportOpening {
  title: string;
  /** ISO 8601 in UTC. */
  at: string;
  /** Whether to count answers to questions that are unreachable when the respondent completes. */
  includesOffPath: boolean;
  /** A phrase for each part of the filter. Empty: everybody. */
  filterWords: readonly string[];
  started: number;
  completed: number;
  averageSeconds: number | null;
  trend: { date: string; completions: number }[];
}

export function reportOpening({ title, at, includesOffPath, filterWords, ...figures }: ReportOpening): string {
  const { started, completed, averageSeconds, trend } = figures;
  const rate = started === 0 ? 0 : Math.round((completed / started) * 1000) / 10;
  const tiles = [
    ["Started", numberText(started)],
    ["Completed", numberText(completed)],
    ["Completion rate", `${numberText(rate)} %`],
    ["Average time", averageSeconds === null ? "–" : timeText(averageSeconds)],
  ];
  const name = escapeHtml(title || "Survey");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${reportPolicy.join("; ")}">
<title>${name}: results</title><style>${reportStyle}</style></head>
<body><header><h1 dir="auto">${name}</h1>${filterText(filterWords, started)}
<p class="at">Results of ${at.slice(0, 16).replace("T", " ")} UTC, tests left out.
Answers of people who have not finished are counted, too${filterWords.length > 0 ? ", where the filter selects them" : ""}; exports leave them out unless they are asked for.
Answers to questions that were no longer reached when their respondent finished are ${includesOffPath ? "counted, too" : "left out"}.
Shares are of those who were asked and answered.</p>
<dl>${tiles.map(([term, value]) => `<div><dt>${term}</dt><dd>${value}</dd></div>`).join("")}</dl></header>
<main><section><h2>Completions of the last ${trend.length} days</h2><figure>${trendPlotOf(trend, "Completions by day")}</figure></section>
`;
}

function filterText(words: readonly string[], people: number): string {
  if (words.length === 0) return "";
  const counted = `Only ${countText(people, "person", "people")}:`;
  return `<div class="filter"><p>${counted}</p><ul>${words.map((each) => `<li dir="auto">${escapeHtml(each)}</li>`).join("")}</ul></div>`;
}

function timeText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 3600), "h"],
    [Math.floor((whole % 3600) / 60), "min"],
    [whole % 60, "s"],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ") || "0 s";
}

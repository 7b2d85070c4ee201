import { BarChart, LineChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import type { Figure, LineFigure } from "./figure.ts";
import { escapeHtml } from "@canvass/values";
import { numberText } from "./format-text.ts";

use([BarChart, LineChart, GridComponent, SVGRenderer]);

/** The width of a phone's column. A wider screen enlarges the plot a little. */
const width = 360;
/** Maximum number of horizontal bars in a plot; twice as many vertical ones. Only the table shows more. */
export const mostDrawn = 30;
/** The number of part colours, which are classes and variables of the page. */
export const partColours = 8;
/** Those of promoters, passives and detractors. */
export const npsColours: readonly number[] = [0, 1, 3];
/** With more points, only isolated ones have a dot. */
const mostDots = 60;
/** With more points, none has a value label. */
const mostValues = 12;

const text = { color: "currentColor", fontSize: 12 };
const quiet = { silent: true, animation: false, emphasis: { disabled: true } };
const noLines = { axisLine: { show: false }, axisTick: { show: false }, splitLine: { show: false } };
// Margins for fonts that are wider than the library assumes.
const grid = { left: 18, right: 44, top: 6, bottom: 4, outerBoundsMode: "same" };
/** Labels of horizontal bars. A longer one is cut here, and whole in the table below. */
const mostLines = 3;
/** Many bars have fewer lines, so that the plot fits a page of paper. */
const mostHeight = 780;
const lineHeight = 14;
/** Characters that fit in a line, mostly; one of a wide script counts as two. */
const lineLength = 17;
/** The first character of Hangul. It and all after it count as wide. */
const firstWide = "\u1100";
const graphemes = new Intl.Segmenter();
const wrapped = { ...text, lineHeight, width: 124, overflow: "break" };
const valueLabel = {
  show: true,
  ...text,
  formatter: ({ value }: { value: number }) => (value ? numberText(value) : ""),
};

/** Returns a figure as SVG in the colours of the page. `name` describes it to screen readers. */
export function plotOf(figure: Figure | LineFigure, name: string): string {
  switch (figure.kind) {
    case "line":
      return line(figure.points, name);
    case "bars": {
      const bars = figure.bars.slice(0, mostDrawn);
      const series = [
        {
          ...quiet,
          type: "bar",
          barMaxWidth: 18,
          itemStyle: { color: "var(--bar)" },
          data: bars.map(({ value }) => value),
        },
      ];
      const labelled = series.map((each) => ({ ...each, label: { ...valueLabel, position: "right" } }));
      return horizontalBars(
        bars.map(({ label }) => label),
        labelled,
        name,
      );
    }
    case "columns":
      return columns(figure.bars.slice(0, 2 * mostDrawn), name);
    case "stacked": {
      const rows = figure.rows.slice(0, mostDrawn);
      const series = figure.parts.map((_, part) => ({
        ...quiet,
        type: "bar",
        stack: "all",
        barMaxWidth: 18,
        itemStyle: { color: `var(--part${figure.colours?.[part] ?? part % partColours})` },
        data: rows.map(({ values }) => shareOf(values, part)),
      }));
      return horizontalBars(
        rows.map(({ label }) => label),
        series,
        name,
        100,
      );
    }
  }
}

const shareOf = (values: number[], part: number): number => {
  const all = values.reduce((sum, value) => sum + value, 0);
  return all === 0 ? 0 : ((values[part] ?? 0) / all) * 100;
};

function horizontalBars(labels: string[], series: object[], name: string, max?: number): string {
  const fitting = Math.floor((mostHeight / labels.length - 12) / lineHeight);
  const most = Math.min(mostLines, Math.max(1, fitting)) * lineLength;
  const cut = labels.map((label) => cutLabel(label, most));
  const axisLabel = { ...wrapped, formatter: (_: string, at: number) => cut[at]!.shown };
  const yAxis = { ...quiet, ...noLines, type: "category", inverse: true, axisLabel, data: labels };
  const lines = Math.max(1, ...cut.map(({ length }) => Math.ceil(length / lineLength)));
  const height = 14 + labels.length * (12 + lines * lineHeight);
  return draw({ grid, xAxis: { type: "value", show: false, min: 0, max }, yAxis, series }, height, name);
}

/** Lengths are in characters of a narrow script. */
function cutLabel(label: string, most: number): { shown: string; length: number } {
  let shown = "";
  let length = 0;
  for (const { segment } of graphemes.segment(label)) {
    const added = segment >= firstWide ? 2 : 1;
    if (length + added > most) return { shown: `${shown.trimEnd()}…`, length };
    shown += segment;
    length += added;
  }
  return { shown, length };
}

function columns(bars: { label: string; value: number }[], name: string): string {
  const label = { ...valueLabel, position: "top" };
  const data = bars.map(({ value }) => value);
  const series = [{ ...quiet, type: "bar", barMaxWidth: 40, label, itemStyle: { color: "var(--bar)" }, data }];
  const axisLabel = {
    ...text,
    interval: "auto",
    hideOverlap: true,
    width: Math.max(76, 330 / bars.length),
    overflow: "truncate",
  };
  const axis = {
    ...quiet,
    ...noLines,
    axisLine: { show: true, lineStyle: { color: "var(--line)" } },
    type: "category",
  };
  const xAxis = { ...axis, axisLabel, data: bars.map(({ label: each }) => each) };
  const room = { ...grid, right: 8, top: 22 };
  return draw({ grid: room, xAxis, yAxis: { type: "value", show: false, min: 0 }, series }, 180, name);
}

function line(points: LineFigure["points"], name: string): string {
  const axis = {
    ...quiet,
    ...noLines,
    axisLine: { show: true, lineStyle: { color: "var(--line)" }, onZero: false },
    type: "category",
  };
  const xAxis = { ...axis, axisLabel: { ...text, hideOverlap: true }, data: points.map(({ label }) => label) };
  const splitLine = { show: true, lineStyle: { color: "var(--soft)" } };
  const yAxis = { ...quiet, type: "value", splitNumber: 3, splitLine, axisLabel: text };
  const standsAlone = (at: number) => !isPoint(points[at - 1]) && !isPoint(points[at + 1]);
  const data = points.map(({ value }, at) => ({
    value,
    symbol: points.length <= mostDots || standsAlone(at) ? "circle" : "none",
  }));
  const series = [
    {
      ...quiet,
      type: "line",
      // By default only points whose label the axis shows have a symbol.
      showAllSymbol: true,
      symbolSize: 6,
      lineStyle: { color: "var(--bar)", width: 2 },
      itemStyle: { color: "var(--bar)" },
      label: { ...text, show: points.length <= mostValues, position: "top" },
      data,
    },
  ];
  return draw({ grid: { ...grid, right: 14, top: 22 }, xAxis, yAxis, series }, 180, name);
}

const isPoint = (point: LineFigure["points"][number] | undefined): boolean => (point?.value ?? null) !== null;

/** Returns completions by day as SVG. `name` describes it to screen readers. */
export function trendPlotOf(days: { date: string; completions: number }[], name: string): string {
  const axis = {
    ...quiet,
    ...noLines,
    axisLine: { show: true, lineStyle: { color: "var(--line)" } },
    type: "category",
  };
  const xAxis = { ...axis, axisLabel: { ...text, hideOverlap: true }, data: days.map(({ date }) => date.slice(5)) };
  const splitLine = { show: true, lineStyle: { color: "var(--soft)" } };
  const yAxis = { ...quiet, type: "value", min: 0, minInterval: 1, splitNumber: 3, splitLine, axisLabel: text };
  const data = days.map(({ completions }) => completions);
  const series = [{ ...quiet, type: "bar", barMaxWidth: 14, itemStyle: { color: "var(--bar)" }, data }];
  return draw({ grid: { ...grid, right: 8, top: 10 }, xAxis, yAxis, series }, 160, name);
}

function draw(option: object, height: number, name: string): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({ animation: false, silent: true, textStyle: { color: "currentColor" }, ...option });
    return asMarkup(chart.renderToSVGString(), name);
  } finally {
    chart.dispose();
  }
}

/**
 * Removes styles for hovering, which the page's policy forbids, and clips, whose ids differ each time. Texts are
 * escaped, so none matches these patterns.
 */
function asMarkup(svg: string, name: string): string {
  const plain = svg
    .replace(/<style >[\s\S]*<\/style>/, "")
    .replaceAll(/<defs >[\s\S]*?<\/defs>/g, "")
    .replaceAll(/ (?:style|class|clip-path|ecmeta_[a-z_]+|xmlns(?::xlink)?|xml:space)="[^"]*"/g, "")
    .replace(/<rect [^>]*fill="none"><\/rect>/, "");
  // A function, because `$` is special in a replacement string.
  return plain.replace("<svg ", () => `<svg role="img" aria-label="${escapeHtml(name)}" `);
}

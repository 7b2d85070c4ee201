import type { Question } from "@canvass/questions";

/** The steps of a scale that have a label, such as `5 Excellent`. */
export function scaleLabels({ typeSettings }: Question): Map<string, string> {
  const labels = Object.entries((typeSettings as { labels?: object }).labels ?? {});
  return new Map(
    labels.flatMap(([step, text]) => (/^\d+$/.test(step) && text ? [[step, `${step} ${String(text)}`]] : [])),
  );
}

import type { Question } from "@canvass/questions";

/** Returns the labels of a scale's steps, such as `5 Excellent`. Steps without a label are left out. */
export function scaleLabels({ typeSettings }: Question): Map<string, string> {
  const labels = Object.entries((typeSettings as { labels?: object }).labels ?? {});
  return new Map(
    labels.flatMap(([step, text]) => (/^\d+$/.test(step) && text ? [[step, `${step} ${String(text)}`]] : [])),
  );
}

import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import type { Asked } from "../asked.ts";
import { readCondition } from "../expressions/read-condition.ts";
import type { Questionnaire } from "../questionnaire.ts";
import { change, cut, type ReportItem } from "../report.ts";
import { fitHtml } from "../texts.ts";
import { surveyjsCall, surveyjsExpressions } from "./expressions.ts";

/** Context for reading the questions of a file. */
export interface SurveyjsSurvey {
  questionnaire: Questionnaire;
  locale: string;
  /** Tags of other languages, by their names in the file. */
  languages: Map<string, string>;
  asked: Map<string, Asked>;
}

/** Reads a text in the survey's own language: texts are plain, or objects by language. */
export function ownText(
  { locale }: SurveyjsSurvey,
  value: unknown,
  most: number,
  item: ReportItem,
): string | undefined {
  const text = isJsonObject(value) ? (ownValue(value, "default") ?? ownValue(value, locale)) : value;
  return fitHtml(typeof text === "number" || typeof text === "boolean" ? String(text) : text, most, item);
}

/** Reads a text in each other language that the survey offers, by its tag. */
export function otherTexts(
  { languages }: SurveyjsSurvey,
  value: unknown,
  most: number,
  item: ReportItem,
): [tag: string, text: string][] {
  if (!isJsonObject(value)) return [];
  return [...languages].flatMap(([name, tag]): [string, string][] => {
    const text = fitHtml(ownValue(value, name), most, item);
    return text === undefined ? [] : [[tag, text]];
  });
}

export const isNeverShown = (source: JsonObject): boolean =>
  source["visible"] === false && source["visibleIf"] === undefined;

export function conditionAt(
  { asked }: SurveyjsSurvey,
  source: JsonObject,
  name: string,
  item: ReportItem,
): JsonObject | undefined {
  const expression = source[name];
  if (typeof expression !== "string" || expression.trim() === "") return undefined;
  const read = readCondition(expression, surveyjsExpressions, { find: (of) => asked.get(of), call: surveyjsCall });
  if (typeof read !== "string") return read;
  change(item, `${name} is left out, since it ${read}`);
  return undefined;
}

/** Writes references such as `{question}` as placeholders. */
export const templateOf = ({ asked }: SurveyjsSurvey, text: string, item: ReportItem): string =>
  text.replaceAll(/(?<!\{)\{([^{}]{1,200})\}(?!\})/g, (written, name: string) => {
    const known = asked.get(name);
    if (known && known.kind !== "none") return `{{${known.key}}}`;
    change(item, `a text keeps ${cut(written)} as it is written`);
    return written;
  });

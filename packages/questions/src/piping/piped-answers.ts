import { isJsonObject } from "@canvass/values";
import { chosenId, entriesOf, choicesAndOtherById } from "../chosen-choices.ts";
import type { DateTimeMode } from "../dates.ts";
import type { Question } from "../definition.ts";

/** Renders an answer for a text in a language (BCP 47); empty if there is no answer. */
export type PipedText = (question: Question, value: unknown, language: string) => string;

export const pipedString: PipedText = (_question, value) => (typeof value === "string" ? value : "");

export const pipedNumber: PipedText = (_question, value, language) =>
  typeof value === "number"
    ? new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 10 }).format(value)
    : "";

/** A text that was typed with a choice replaces its label. */
export const pipedChoices: PipedText = (question, value, language) => {
  const choices = choicesAndOtherById(question);
  const texts = entriesOf(value).flatMap((entry) => {
    const given = isJsonObject(entry) ? entry["otherText"] : undefined;
    const text = typeof given === "string" && given.trim() !== "" ? given : choices.get(chosenId(entry) ?? "")?.text;
    return text ?? [];
  });
  return new Intl.ListFormat(localeOf(language), { type: "conjunction" }).format(texts);
};

const styles: Record<DateTimeMode, Intl.DateTimeFormatOptions> = {
  date: { dateStyle: "long" },
  time: { timeStyle: "short" },
  datetime: { dateStyle: "long", timeStyle: "short" },
};

/** Shown as written, whatever its offset. */
export function pipedTimestamp(mode: DateTimeMode, value: unknown, language: string): string {
  if (typeof value !== "string") return "";
  const { date = "1970-01-01", time = "00:00" } =
    /^(?<date>\d{4}-\d\d-\d\d)?[Tt]?(?<time>\d\d:\d\d)?/.exec(value)?.groups ?? {};
  const at = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(at)) return "";
  return new Intl.DateTimeFormat(localeOf(language), { ...styles[mode], timeZone: "UTC" }).format(at);
}

/** The engine's default locale if the tag is invalid. */
function localeOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}

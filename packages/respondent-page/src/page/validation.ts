import type { Violation } from "@canvass/inputs";
import { brokenConstraints, questionTypeOf, type PublicElement } from "@canvass/questions";
import type { SurveyModel } from "survey-core";
import { keyOfName } from "../mapping/mapped-type.ts";
import { readNumber } from "../mapping/numbers.ts";
import type { Words } from "../words/words.ts";
import type { PagePath } from "./page-path.ts";
import type { Placed } from "./placed.ts";
import { questionOf } from "./question-of.ts";

/** Makes SurveyJS validate answers by question types and constraints, and report what is missing in our words. */
export function addValidation(model: SurveyModel, path: PagePath, words: Words, language: string): void {
  model.onValidateQuestion.add((_, options) => {
    const { name } = options.question;
    const key = keyOfName(name);
    const place = path.placed.get(key);
    if (!place || options.error || options.errors.length > 0) return;
    const value = place.mapped.toValue(model.data, key, place.question);
    const violations = value === undefined ? [] : violationsOf(place, value);
    const part = name === key ? undefined : name.slice(key.length + 1);
    const violation = violations.find(({ path }) => part === undefined || path === part);
    if (violation) options.error = violationIn(place.question, value, violation, words, language);
    else if (violations.length === 0 && questionOf(model, key) === options.question) {
      const broken = brokenMessage(path, place);
      if (broken !== undefined) options.error = broken;
    }
  });
  model.onErrorCustomText.add((_, options) => {
    if (options.name === "required" || options.name === "requireoneanswer") options.text = words.required;
    if (options.name === "requiredinallrowserror") options.text = words.everyRow;
  });
}

/** Returns the message of a constraint of the question that the answers break. */
function brokenMessage(path: PagePath, place: Placed): string | undefined {
  if (!place.stored.logic?.constraints) return undefined;
  const broken = [...brokenConstraints(path.stored, path.answers)].find(({ key }) => key === place.key);
  return broken && path.pipe(broken.message, place);
}

/** Returns the violations that the question type finds. Files were validated on upload. */
export function violationsOf({ stored, hidden }: Placed, value: unknown): readonly Violation[] {
  const type = questionTypeOf(stored);
  return type.fileIds ? [] : type.checkValue(stored, value, { hidden });
}

/** Whether the question has no answer, or one that its type accepts. */
export function isAcceptable({ answers }: PagePath, place: Placed): boolean {
  const value = answers.get(place.key);
  return value === undefined || violationsOf(place, value).length === 0;
}

/** Returns the text to show for a violation. At one choice of a constant sum it starts with the choice's text. */
function violationIn(
  { choices }: PublicElement,
  value: unknown,
  violation: Violation,
  words: Words,
  language: string,
): string {
  const wrong = violation.path === "" ? value : (value as Record<string, unknown>)[violation.path];
  const name = choices?.find(({ id }) => id === violation.path)?.text;
  const text =
    unreadText(wrong, violation.message, words) ?? wordsFor(violation.message, violation.path !== "", words, language);
  return name === undefined ? text : `${name}: ${text}`;
}

function unreadText(typed: unknown, message: string, { numbers }: Words): string | undefined {
  if (typeof typed !== "string" || !message.startsWith("must be a number")) return undefined;
  const reading = readNumber(typed);
  return typeof reading === "object" && "whole" in reading
    ? numbers.ambiguous(reading.whole, reading.decimal)
    : numbers.wanted;
}

const sentences: [message: RegExp, say: (words: Words, first: string, second: string) => string][] = [
  [/^must be an e-mail address/, (words) => words.email],
  [/^must be a URL/, (words) => words.url],
  [/^must be a phone number/, (words) => words.phone],
  [/^must match/, (words) => words.pattern],
  [/^must be accepted/, (words) => words.required],
  [/^must add up to ([\d.]+)/, (words, total) => words.mustSum(total)],
  [
    /^must be a number from (\S+) to (\S+)$/,
    ({ numbers }, least, most) => `${numbers.least(least)} ${numbers.most(most)}`,
  ],
  [/^must be a number/, ({ numbers }) => numbers.wanted],
  [/^must be at least (\S+)$/, ({ numbers }, least) => numbers.least(least)],
  [/^must be at most (\S+)$/, ({ numbers }, most) => numbers.most(most)],
  [/^must be a whole number$/, ({ numbers }) => numbers.whole],
  [/^must have at most (\S+) decimals?$/, ({ numbers }, most) => numbers.decimals(Number(most))],
];

/** Translates a violation. Only English has a sentence for every violation; other languages have a general one. */
export function wordsFor(message: string, isPart: boolean, words: Words, language: string): string {
  if (message === "is required") return isPart ? words.everyRow : words.required;
  for (const [pattern, say] of sentences) {
    const found = pattern.exec(message);
    if (found) return say(words, found[1] ?? "", found[2] ?? "");
  }
  return language === "en" ? `Your answer ${message}.` : words.invalid;
}

import type { Fault } from "@canvass/inputs";
import { questionTypeOf, type Question } from "@canvass/questions";
import type { SurveyModel } from "survey-core";
import { keyOfName } from "../mapping/mapped-type.ts";
import type { Words } from "../words/words.ts";
import type { Way } from "./way.ts";

/** Browsers without Temporal cannot read moments as the server does, so there it alone judges them. */
const canJudge = (typeName: string) => typeName !== "date_time" || typeof Temporal !== "undefined";

/** Has the types of the shared catalogue judge each answer, as the server will. */
export function judgeAnswers(model: SurveyModel, way: Way, words: Words, language: string): void {
  model.onValidateQuestion.add((_, options) => {
    const { name } = options.question;
    const key = keyOfName(name);
    const place = way.placed.get(key);
    if (!place || options.error || options.errors.length > 0 || !canJudge(place.question.typeName)) return;
    const value = place.mapped.toValue(model.data, key, place.question);
    if (value === undefined) return;
    const faults = faultsOf(place.stored, value);
    const part = name === key ? undefined : name.slice(key.length + 1);
    const fault = faults.find(({ path }) => part === undefined || path === part);
    if (fault) options.error = wordsFor(fault.message, fault.path !== "", words, language);
  });
  model.onErrorCustomText.add((_, options) => {
    if (options.name === "required" || options.name === "requireoneanswer") options.text = words.required;
    if (options.name === "requiredinallrowserror") options.text = words.everyRow;
  });
}

/** What the catalogue finds wrong with a value. Files were judged when they were uploaded. */
export function faultsOf(question: Question, value: unknown): readonly Fault[] {
  const type = questionTypeOf(question);
  return type.fileIds ? [] : type.checkValue(question, value);
}

const sentences: [start: string, say: (words: Words, message: string) => string][] = [
  ["must be an e-mail address", (words) => words.email],
  ["must be a web address", (words) => words.url],
  ["must be a phone number", (words) => words.phone],
  ["must match", (words) => words.pattern],
  ["must be accepted", (words) => words.required],
  ["must add up to", (words, message) => words.mustSum(/to ([\d.]+)/.exec(message)?.[1] ?? "")],
];

/** A fault in the respondent's language. Only English has a sentence for every fault. */
export function wordsFor(message: string, isPart: boolean, words: Words, language: string): string {
  if (message === "is required") return isPart ? words.everyRow : words.required;
  const found = sentences.find(([start]) => message.startsWith(start));
  if (found) return found[1](words, message);
  return language === "en" ? `Your answer ${message}.` : words.invalid;
}

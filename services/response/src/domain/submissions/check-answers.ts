import { type Fault, faultsBelow } from "@canvass/inputs";
import { isSameJson } from "@canvass/values";
import {
  findAnswerPlace,
  findVisitedPage,
  type Question,
  type QuestionType,
  type SubmittedAnswer,
  type SurveyDefinition,
  type SurveySettings,
} from "@canvass/questions";
import { answerWeight, mostAnswerWeight } from "./answer-weight.ts";
import { nameFiles, type KnownFiles } from "./named-files.ts";
import { lostAnswers } from "./lost-answers.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";

export interface AcceptedAnswer {
  answerKey: string;
  question: Question;
  type: QuestionType;
  value: unknown;
  meta: Record<string, unknown> | undefined;
  /** False: it equals the standing answer. */
  isChange: boolean;
  /** Change of the respondent's answer weight. May be negative. */
  addedWeight: number;
}

/** Validation stops at this many faults, more than one answer can have. */
const mostFaults = 1_000;

const unknownPlace =
  "is not a question of the version this respondent answers (on a page that repeats: elementId:choiceId)";

/**
 * Validates every answer of a submission. Returns all faults, also of its shape, located `responses.<index>`. Beyond a
 * thousand faults it stops and reports that first. Yields at each answer.
 */
export function* checkAnswers(
  state: RespondentState,
  body: SubmissionBody,
  definition: SurveyDefinition,
  settings: SurveySettings,
  files: KnownFiles,
): Generator<undefined, { accepted: AcceptedAnswer[]; faults: Fault[] }> {
  const accepted: AcceptedAnswer[] = [];
  const faults: Fault[] = [...(body.faults ?? [])];
  const places = new Map<string, string>();
  const newlyNamed = new Set<string>();
  for (const [index, given] of body.responses.entries()) {
    yield;
    if (faults.length >= mostFaults) {
      return { accepted: [], faults: [notJudged(index, body.responses.length), ...faults] };
    }
    if (given === null) continue;
    const path = `responses.${index}`;
    const { elementId: answerKey, meta } = given;
    const before = faults.length;
    if (places.has(answerKey)) {
      faults.push({ path: `${path}.elementId`, message: "is answered twice in this submission" });
    } else places.set(answerKey, path);
    const place = findAnswerPlace(definition, answerKey);
    if (!place) {
      faults.push({ path: `${path}.elementId`, message: unknownPlace });
      continue;
    }
    const { question, type } = place;
    const named = nameFiles(given, state, place, files, newlyNamed);
    if (named.faults.length > 0) {
      faults.push(...faultsBelow(`${path}.value`, named.faults));
      continue;
    }
    const { answer } = named;
    const { value } = answer;
    // A missing value is a fault of the shape.
    const isGiven = value !== undefined;
    const isChange = isGiven && changesAnswer(state, answer, type);
    faults.push(...answerFaults(answer, question, type, isChange, path));
    const refusal = isChange && refusedChange(state, answerKey, settings);
    if (refusal) faults.push({ path, message: refusal });
    if (!isGiven || faults.length > before) continue;
    const addedWeight = isChange ? weightChange(state, answer, type) : 0;
    accepted.push({ answerKey, question, type, value, meta, isChange, addedWeight });
  }
  if (body.pageId && !findVisitedPage(definition, body.pageId)) {
    faults.push({ path: "pageId", message: "is not a page of the version this respondent answers" });
  }
  faults.push(...lostAnswers(state, accepted, places, definition), ...tooHeavy(state, accepted));
  return { accepted, faults };
}

function weightChange({ answers }: RespondentState, answer: SubmittedAnswer, type: QuestionType): number {
  const { elementId, value, meta = null } = answer;
  const standing = answers.get(elementId);
  return (type.isEmpty(value) ? 0 : answerWeight({ value, meta })) - (standing ? answerWeight(standing) : 0);
}

/** Never refuses what does not increase the weight. */
function tooHeavy({ answerWeight: stands }: RespondentState, accepted: readonly AcceptedAnswer[]): Fault[] {
  const added = accepted.reduce((sum, { addedWeight }) => sum + addedWeight, 0);
  if (added <= 0 || stands + added <= mostAnswerWeight) return [];
  return [{ path: "responses", message: "would make the answers of this respondent heavier than 4 MiB together" }];
}

function notJudged(judged: number, given: number): Fault {
  return { path: "responses", message: `have too many faults; the first ${judged} of ${given} are judged` };
}

/** Whether an answer differs from the standing one. A missing `meta` changes nothing. */
function changesAnswer({ answers }: RespondentState, answer: SubmittedAnswer, type: QuestionType): boolean {
  const standing = answers.get(answer.elementId);
  if (!standing) return !type.isEmpty(answer.value);
  return (
    !isSameJson(standing.value, answer.value) || (answer.meta !== undefined && !isSameJson(standing.meta, answer.meta))
  );
}

function answerFaults(
  answer: SubmittedAnswer,
  question: Question,
  type: QuestionType,
  isChange: boolean,
  path: string,
): Fault[] {
  const faults: Fault[] = [];
  if (!type.answerable) faults.push({ path: `${path}.elementId`, message: "takes no answer" });
  if (answer.type !== undefined && answer.type !== type.typeName && answer.type !== type.number) {
    faults.push({ path: `${path}.type`, message: `must be ${type.typeName}, the type of this question` });
  }
  if (isChange && !type.isEmpty(answer.value)) {
    faults.push(...faultsBelow(`${path}.value`, type.checkValue(question, answer.value)));
  }
  return faults;
}

/** Returns why an answer may not be given or changed (`editAfterSubmit`). Undefined if it may. */
function refusedChange(state: RespondentState, answerKey: string, settings: SurveySettings): string | undefined {
  const { editAfterSubmit } = settings.collection;
  if (editAfterSubmit === "always") return undefined;
  if (state.completedAt !== null) return "cannot be changed: this respondent has completed the survey";
  if (editAfterSubmit === "never" && state.answers.has(answerKey)) return "cannot be changed once it was given";
  return undefined;
}

import { type Violation, violationsBelow } from "@canvass/inputs";
import { isSameJson } from "@canvass/values";
import {
  findAnswerPlace,
  findVisitedPage,
  type Question,
  type QuestionType,
  type SubmittedAnswer,
  type SurveyDefinition,
  type SurveySettings,
  newlyMissing,
} from "@canvass/questions";
import { answerWeight, mostAnswerWeight, type RespondentState } from "../respondents/respondent-state.ts";
import { constraintViolations } from "./constraint-violations.ts";
import { resolveFiles, type KnownFiles } from "./named-files.ts";
import { hiddenEntriesAfter, answersAfter, answerValues } from "./known-answers.ts";
import type { SubmissionBody } from "./submission.ts";
import type { Wording } from "./wording.ts";

export interface AcceptedAnswer {
  answerKey: string;
  question: Question;
  type: QuestionType;
  value: unknown;
  meta: Record<string, unknown> | undefined;
  isChange: boolean;
  addedWeight: number;
}

const ownWording: Pick<Wording, "ofConstraint"> = { ofConstraint: (_elementId, _at, message) => message };

/** Validation stops at this many violations, more than one answer can have. */
const mostViolations = 1_000;

const unknownPlace =
  "is not a question of the version this respondent answers (on a page that repeats: elementId:choiceId)";

/**
 * Returns the valid answers and all violations, those of an answer at `responses.<index>`. Beyond `mostViolations` it
 * stops, and reports that first.
 */
export function* checkAnswers(
  state: RespondentState,
  body: SubmissionBody,
  definition: SurveyDefinition,
  settings: SurveySettings,
  files: KnownFiles,
  wording: Pick<Wording, "ofConstraint"> = ownWording,
): Generator<undefined, { accepted: AcceptedAnswer[]; violations: Violation[] }> {
  const accepted: AcceptedAnswer[] = [];
  const violations: Violation[] = [...(body.violations ?? [])];
  const places = new Map<string, string>();
  const newlyNamed = new Set<string>();
  const hiddenAfter = hiddenEntriesAfter(state, body, definition);
  for (const [index, given] of body.responses.entries()) {
    yield;
    if (violations.length >= mostViolations) {
      return { accepted: [], violations: [notValidated(index, body.responses.length), ...violations] };
    }
    if (given === null) continue;
    const path = `responses.${index}`;
    const { elementId: answerKey, meta } = given;
    const before = violations.length;
    if (places.has(answerKey)) {
      violations.push({ path: `${path}.elementId`, message: "is answered twice in this submission" });
    } else places.set(answerKey, path);
    const place = findAnswerPlace(definition, answerKey);
    if (!place) {
      violations.push({ path: `${path}.elementId`, message: unknownPlace });
      continue;
    }
    const { question, type, entries } = place;
    const named = resolveFiles(given, state, place, files, newlyNamed);
    if (named.violations.length > 0) {
      violations.push(...violationsBelow(`${path}.value`, named.violations));
      continue;
    }
    const { answer } = named;
    const { value } = answer;
    const isGiven = value !== undefined;
    const isChange = isGiven && changesAnswer(state, answer, type);
    const hidden = entries ? hiddenAfter(answerKey) : undefined;
    violations.push(...answerViolations(answer, { question, type, hidden }, isChange, path));
    const refusal = isChange && refusedChange(state, answerKey, settings);
    if (refusal) violations.push({ path, message: refusal });
    if (!isGiven || violations.length > before) continue;
    const addedWeight = isChange ? weightChange(state, answer, type) : 0;
    accepted.push({ answerKey, question, type, value, meta, isChange, addedWeight });
  }
  if (body.pageId && !findVisitedPage(definition, body.pageId)) {
    violations.push({ path: "pageId", message: "is not a page of the version this respondent answers" });
  }
  violations.push(
    ...lostAnswers(state, body, accepted, places, definition),
    ...constraintViolations(state, body, { accepted, places }, definition, wording),
    ...tooHeavy(state, accepted),
  );
  return { accepted, violations };
}

function weightChange({ answers }: RespondentState, answer: SubmittedAnswer, type: QuestionType): number {
  const { elementId, value, meta = null } = answer;
  const current = answers.get(elementId);
  return (type.isEmpty(value) ? 0 : answerWeight({ value, meta })) - (current ? answerWeight(current) : 0);
}

/** Never refuses a submission that does not increase the weight. */
function tooHeavy({ answerWeight: stands }: RespondentState, accepted: readonly AcceptedAnswer[]): Violation[] {
  const added = accepted.reduce((sum, { addedWeight }) => sum + addedWeight, 0);
  if (added <= 0 || stands + added <= mostAnswerWeight) return [];
  return [{ path: "responses", message: "would make the answers of this respondent heavier than 4 MiB together" }];
}

function notValidated(evaluated: number, given: number): Violation {
  return { path: "responses", message: `have too many faults; the first ${evaluated} of ${given} are judged` };
}

/** Whether an answer differs from the current one. A missing `meta` changes nothing. */
function changesAnswer({ answers }: RespondentState, answer: SubmittedAnswer, type: QuestionType): boolean {
  const current = answers.get(answer.elementId);
  if (!current) return !type.isEmpty(answer.value);
  return (
    !isSameJson(current.value, answer.value) || (answer.meta !== undefined && !isSameJson(current.meta, answer.meta))
  );
}

interface AnsweredQuestion {
  question: Question;
  type: QuestionType;
  /** Ids of choices and rows that are not shown. */
  hidden: ReadonlySet<string> | undefined;
}

function answerViolations(
  answer: SubmittedAnswer,
  { question, type, hidden }: AnsweredQuestion,
  isChange: boolean,
  path: string,
): Violation[] {
  const violations: Violation[] = [];
  if (!type.answerable) violations.push({ path: `${path}.elementId`, message: "takes no answer" });
  if (answer.type !== undefined && answer.type !== type.typeName && answer.type !== type.number) {
    violations.push({ path: `${path}.type`, message: `must be ${type.typeName}, the type of this question` });
  }
  if (isChange && !type.isEmpty(answer.value)) {
    violations.push(...violationsBelow(`${path}.value`, type.checkValue(question, answer.value, hidden && { hidden })));
  }
  return violations;
}

function refusedChange(state: RespondentState, answerKey: string, settings: SurveySettings): string | undefined {
  const { editAfterSubmit } = settings.collection;
  if (editAfterSubmit === "always") return undefined;
  if (state.completedAt !== null) return "cannot be changed: this respondent has completed the survey";
  if (editAfterSubmit === "never" && state.answers.has(answerKey)) return "cannot be changed once it was given";
  return undefined;
}

const mostReported = 100;

/** A completed respondent must answer every required question in reach, unless its answer was missing before. */
function lostAnswers(
  state: RespondentState,
  body: Pick<SubmissionBody, "metadata">,
  changes: readonly { answerKey: string; value: unknown; isChange: boolean }[],
  places: ReadonlyMap<string, string>,
  definition: SurveyDefinition,
): Violation[] {
  if (state.completedAt === null || !changes.some(({ isChange }) => isChange)) return [];
  const before = answerValues(state);
  const after = answersAfter(state, changes, body);
  const changed = new Set(changes.map(({ answerKey }) => answerKey));
  return (
    newlyMissing(definition, before, after)
      // Other violations of an answer are reported already.
      .filter(({ key }) => changed.has(key) || !places.has(key))
      .take(mostReported)
      .map(({ key }) => lostAnswer(key, places.get(key)))
      .toArray()
  );
}

function lostAnswer(key: string, place: string | undefined): Violation {
  if (place === undefined)
    return { path: "responses", message: `must answer ${key} too: it is required and now reached` };
  return { path: place, message: "cannot be taken back: it is required, and this respondent has completed the survey" };
}

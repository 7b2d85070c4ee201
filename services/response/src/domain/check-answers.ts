import type { Fault } from "@canvass/errors";
import {
  faultsBelow,
  findAnswerPlace,
  type Question,
  type QuestionType,
  type SurveyDefinition,
  type SurveySettings,
} from "@canvass/questions";
import type { RespondentState } from "./respondent-state.ts";
import type { SubmissionBody, SubmittedAnswer } from "./submission.ts";

export interface AcceptedAnswer {
  answerKey: string;
  question: Question;
  type: QuestionType;
  value: unknown;
  meta: Record<string, unknown> | undefined;
}

const unknownPlace =
  "is not a question of the version this respondent answers (on a page that repeats: elementId:choiceId)";

/** Judges every answer of a submission; all faults of all of them, located `responses.<index>…`, and of its shape. */
export function checkAnswers(
  state: RespondentState,
  body: SubmissionBody,
  definition: SurveyDefinition,
  settings: SurveySettings,
): { accepted: AcceptedAnswer[]; faults: Fault[] } {
  const accepted: AcceptedAnswer[] = [];
  const faults: Fault[] = [...(body.faults ?? [])];
  const seen = new Set<string>();
  body.responses.forEach((answer, index) => {
    if (answer === null) return;
    const path = `responses.${index}`;
    const place = findAnswerPlace(definition, answer.elementId);
    if (!place) {
      faults.push({ path: `${path}.elementId`, message: unknownPlace });
      return;
    }
    if (seen.has(answer.elementId)) {
      faults.push({ path: `${path}.elementId`, message: "is answered twice in this submission" });
    }
    seen.add(answer.elementId);
    const { question, type } = place;
    faults.push(...answerFaults(answer, question, type, path));
    const refusal = refusedChange(state, answer.elementId, settings);
    if (refusal) faults.push({ path, message: refusal });
    accepted.push({ answerKey: answer.elementId, question, type, value: answer.value, meta: answer.meta });
  });
  if (body.pageId && !isPage(definition, body.pageId)) {
    faults.push({ path: "pageId", message: "is not a page of the version this respondent answers" });
  }
  return { accepted, faults };
}

function isPage(definition: SurveyDefinition, visit: string): boolean {
  const pageId = visit.split(":", 1)[0];
  return definition.pages.some((page) => page.pageId === pageId);
}

function answerFaults(answer: SubmittedAnswer, question: Question, type: QuestionType, path: string): Fault[] {
  const faults: Fault[] = [];
  if (!type.answerable) faults.push({ path: `${path}.elementId`, message: "takes no answer" });
  if (answer.type !== undefined && answer.type !== type.typeName && String(answer.type) !== String(type.number)) {
    faults.push({ path: `${path}.type`, message: `must be ${type.typeName}, the type of this question` });
  }
  if (!type.isEmpty(answer.value)) {
    faults.push(...faultsBelow(`${path}.value`, type.checkValue(question, answer.value)));
  }
  return faults;
}

/** Why an answer may not be given or changed any more (`editAfterSubmit`, api-decisions 9); undefined when it may. */
function refusedChange(state: RespondentState, answerKey: string, settings: SurveySettings): string | undefined {
  const { editAfterSubmit } = settings.collection;
  if (editAfterSubmit === "always") return undefined;
  if (state.completedAt !== null) return "cannot be changed: this respondent has completed the survey";
  if (editAfterSubmit === "never" && state.answers.has(answerKey)) return "cannot be changed once it was given";
  return undefined;
}

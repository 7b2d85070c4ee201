import { hiddenEntries, type SurveyDefinition } from "@canvass/questions";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { answersAfter } from "./answers-after.ts";
import type { SubmissionBody } from "./submission.ts";

/**
 * Returns a function that finds the choices and rows of a question that are not shown once a submission is stored, even
 * if an answer of it is invalid. Walks the survey once, at its first use. `state` must hold all answers.
 */
export function hiddenEntriesAfter(state: RespondentState, body: SubmissionBody, definition: SurveyDefinition) {
  let hidden: ReturnType<typeof hiddenEntries> | undefined;
  return (answerKey: string): ReadonlySet<string> | undefined => {
    hidden ??= hiddenEntries(definition, answersAfter(state, givenAnswers(body), body));
    return hidden(answerKey);
  };
}

function givenAnswers({ responses }: SubmissionBody) {
  const given = responses.filter((answer) => answer !== null && answer.value !== undefined);
  return given.map((answer) => ({ answerKey: answer!.elementId, value: answer!.value }));
}

import type { ApiClient, Json } from "./api-client.ts";

/** A published survey of three questions: a required rating of 1 to 5, a choice of two, and a text. */
export interface SmallSurvey {
  surveyId: string;
  pageId: string;
  ratingId: string;
  choiceId: string;
  /** Choice ids of the choice question. */
  choices: string[];
  textId: string;
}

export const smallQuestions = [
  { type: "rating", text: "How did you like it?", required: true },
  { type: "multiple_choice", text: "Would you come again?", choices: ["Yes", "No"] },
  { type: "short_text", text: "Anything else?" },
];

export async function publishSmallSurvey(api: ApiClient, name = "Small survey"): Promise<SmallSurvey> {
  const created = await api.post("/surveys", { name });
  const surveyId: string = created.data.id;
  const added = await api.post(`/surveys/${surveyId}/questions`, { questions: smallQuestions });
  await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
  return smallSurveyOf(surveyId, added.data);
}

/** Takes the added questions: those of `smallQuestions` first, more may follow. */
export function smallSurveyOf(surveyId: string, [rating, choice, text]: Json[]): SmallSurvey {
  return {
    surveyId,
    pageId: rating.pageId,
    ratingId: rating.elementId,
    choiceId: choice.elementId,
    choices: choice.choices.map(({ id }: { id: string }) => id),
    textId: text.elementId,
  };
}

export async function startRespondent(api: ApiClient, { surveyId }: SmallSurvey): Promise<string> {
  const started = await api.post(`/response/surveys/${surveyId}/respondents`, {});
  return started.data.respondentId;
}

/** The body of a request that completes a respondent. */
export function completion({ ratingId, textId }: SmallSurvey, respondentId: string, rating = 4) {
  return {
    respondentId,
    responses: [
      { elementId: ratingId, type: "rating", value: rating },
      { elementId: textId, type: "short_text", value: "Good coffee." },
    ],
  };
}

export async function completeRespondent(api: ApiClient, survey: SmallSurvey, rating = 4): Promise<string> {
  const respondentId = await startRespondent(api, survey);
  await api.post(`/response/surveys/${survey.surveyId}`, completion(survey, respondentId, rating));
  return respondentId;
}

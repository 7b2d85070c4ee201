import type { ApiClient, Json } from "../../api-client.ts";
import { addedWay, times, ways, type CommuteAnswer } from "./commute-answers.ts";

interface CommuteQuestion {
  /** The first version's text. */
  text: string;
  elementId: string;
  questionId: string;
  /** Choice ids by text. */
  choices: Map<string, string>;
}

export interface CommuteSurvey {
  surveyId: string;
  questions: Record<keyof CommuteAnswer, CommuteQuestion>;
}

const anyRevision = { "if-match": "*" };

export async function publishCommuteSurvey(api: ApiClient): Promise<CommuteSurvey> {
  const questions = [
    { type: "multiple_choice", text: "How do you get to work?", choices: ways, multipleAnswers: true, required: true },
    { type: "multiple_choice", text: "How long does it take?", choices: times, required: true },
    { type: "rating", text: "Are you content?", required: true },
    { type: "yes_no", text: "Do you own a car?" },
  ];
  const { id: surveyId } = (await api.post("/surveys", { name: "Getting to work", questions })).data;
  const elements = (await api.get(`/surveys/${surveyId}/elements?include=content`)).data.map(toQuestion);
  const [waysAsked, time, content, ownsCar] = elements;
  await api.post(`/surveys/${surveyId}/publish`, { note: "First" }, anyRevision);
  return { surveyId, questions: { ways: waysAsked, time, content, ownsCar } };
}

const toQuestion = ({ id, questionId, questionText: text, choices = [] }: Json): CommuteQuestion => ({
  text,
  elementId: id,
  questionId,
  choices: new Map(choices.map((choice: Json) => [choice.text, choice.id])),
});

/**
 * Rewords a question, adds a choice and retires a question. Respondents keep the first version until the next
 * publication.
 */
export async function changeCommuteSurvey(api: ApiClient, { questions }: CommuteSurvey): Promise<void> {
  const { ways: asked, content, ownsCar } = questions;
  await edit(api, "PUT", `/elements/${content.elementId}/settings`, {
    questionText: "How content are you with your way to work?",
    settings: { responseValidation: { required: true } },
  });
  const choice = { choiceId: null, questionId: asked.questionId, newTitle: addedWay };
  const { newId } = await edit(api, "PUT", `/multiple-choice/${asked.elementId}/choice`, choice);
  asked.choices.set(addedWay, newId);
  await edit(api, "DELETE", `/elements/${ownsCar.elementId}`);
}

async function edit(api: ApiClient, method: string, path: string, body?: Json): Promise<Json> {
  const { status, data, raw } = await api.call(method, path, { body });
  if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${raw}`);
  return data;
}

export interface Republication {
  changes: { question: string; message: string; affectedResponses: number }[];
  /** Error code of the first attempt, which acknowledged nothing. */
  refusedWith: string | undefined;
  versionNumber: number;
}

/** Publishes the changes: first without acknowledging those that affect results (refused), then acknowledging them. */
export async function publishAgain(api: ApiClient, { surveyId, questions }: CommuteSurvey): Promise<Republication> {
  const texts = new Map(Object.values(questions).map(({ elementId, text }) => [elementId, text]));
  const { data } = await api.get(`/surveys/${surveyId}/publish/changes`);
  const changes = data.changes.map(({ elementId, ...change }: Json) => ({ ...change, question: texts.get(elementId) }));
  const refused = await api.call("POST", `/surveys/${surveyId}/publish`, { headers: anyRevision });
  const acknowledge = refused.body.error?.details["changes"].map(({ changeId }: Json) => changeId);
  const published = await api.post(`/surveys/${surveyId}/publish`, { note: "Clearer", acknowledge }, anyRevision);
  return { changes, refusedWith: refused.body.error?.code, versionNumber: published.data.versionNumber };
}

export async function answerCommuteSurvey(
  api: ApiClient,
  { surveyId, questions }: CommuteSurvey,
  answers: readonly CommuteAnswer[],
): Promise<void> {
  const path = `/response/surveys/${surveyId}`;
  for (const { ways: chosen, time, content, ownsCar } of answers) {
    const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
    const responses = [
      { elementId: questions.ways.elementId, value: chosen.map((way) => questions.ways.choices.get(way)) },
      { elementId: questions.time.elementId, value: questions.time.choices.get(time) },
      { elementId: questions.content.elementId, value: content },
      ...(ownsCar === undefined ? [] : [{ elementId: questions.ownsCar.elementId, value: ownsCar }]),
    ];
    await api.post(path, { respondentId, responses });
  }
}

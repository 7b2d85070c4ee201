import { type ApiClient, type Json } from "@canvass/e2e";
import { createHttpApi, fillSurvey } from "@canvass/operator";
import { waitFor } from "@canvass/testing";

const questionCount = 25;

export interface AnsweredSurvey {
  surveyId: string;
  elementIds: string[];
  answers: number;
}

/** Creates a survey and fills it through the API with at least `answers` answers, as `canvass fill` does. */
export async function makeAnsweredSurvey(
  api: ApiClient,
  place: { baseUrl: string; token: string },
  answers: number,
): Promise<AnsweredSurvey> {
  const questions = Array.from({ length: questionCount }, (_, index) => ({
    type: "rating",
    text: `Question ${index}`,
    responseValidation: { required: true },
  }));
  const { id: surveyId } = (await api.post("/surveys", { name: `Of ${answers} answers`, questions })).data;
  await api.post(`/surveys/${surveyId}/publish`, undefined, { "if-match": "*" });
  const elements: Json[] = (await api.get(`/surveys/${surveyId}/elements`)).data;
  const filled = { answers: 0, completed: 0 };
  for (let seed = 1; filled.answers < answers; seed += 1) {
    const responses = Math.ceil((answers - filled.answers) / questionCount);
    const options = { surveyId, responses, concurrency: 4, seed, stop: new AbortController().signal };
    const added = await fillSurvey(createHttpApi(place), options);
    filled.answers += added.answers;
    filled.completed += added.completed;
  }
  const isCounted = async () => (await api.get(`/surveys/${surveyId}`)).data.responseCount === filled.completed;
  await waitFor(isCounted, { describe: "the events of all completions", timeoutMs: 300_000 });
  return { surveyId, elementIds: elements.map(({ id }) => id as string), answers: filled.answers };
}

import pLimit from "p-limit";
import type { ApiClient } from "../api-client.ts";
import type { BfiItem, BfiRespondent } from "../bfi.ts";
import { bfiAnswers, type BfiSurvey } from "../bfi-survey.ts";
import type { Progress } from "./progress.ts";

export interface Submitted {
  answers: number;
  /** From the first request to the last response. */
  seconds: number;
}

const callers = 32;

/** Starts and submits every respondent, 32 at a time. */
export async function submitAll(
  api: ApiClient,
  survey: BfiSurvey,
  items: readonly BfiItem[],
  respondents: readonly BfiRespondent[],
  progress: Progress,
): Promise<Submitted> {
  const bar = progress.bar("Respondents", respondents.length);
  const path = `/response/surveys/${survey.surveyId}`;
  const started = performance.now();
  let done = 0;
  let answers = 0;
  await pLimit(callers).map(respondents, async (respondent) => {
    const responses = bfiAnswers(survey, items, respondent);
    const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
    await api.post(path, { respondentId, responses });
    answers += responses.length;
    done += 1;
    bar.set(done);
  });
  return { answers, seconds: (performance.now() - started) / 1000 };
}

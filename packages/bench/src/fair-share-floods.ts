import type { ApiClient } from "@canvass/e2e";

/** Starts a flood of one workspace's heaviest requests of a kind. Disposing stops it and waits for pending requests. */
export type StartFlood = (api: ApiClient) => Promise<AsyncDisposable>;

/** Creates surveys of 1,000 questions at the token's rate limit: 240 a minute. */
export const floodOfSurveys: StartFlood = async (api) => {
  const questions = Array.from({ length: 1000 }, (_, index) => ({ type: "rating", text: `Statement ${index}` }));
  const body = JSON.stringify({ name: "Heavy", questions });
  return repeat(250, () => api.call("POST", "/surveys", { body }));
};

/**
 * Submits 500 answers of 40 choices each at the token's rate limit, 1,200 times a minute. The answers change each time.
 */
export const floodOfSubmissions: StartFlood = async (api) => {
  const choices = Array.from({ length: 80 }, (_, index) => `Choice ${index}`);
  const questions = Array.from({ length: 250 }, () => ({
    type: "multiple_choice",
    text: "Which?",
    choices,
    multipleAnswers: true,
  }));
  const { id } = (await api.post("/surveys", { name: "Wide" })).data;
  const added = [
    ...(await api.post(`/surveys/${id}/questions`, { questions })).data,
    ...(await api.post(`/surveys/${id}/questions`, { questions })).data,
  ] as { elementId: string; choices: { id: string }[] }[];
  await api.post(`/surveys/${id}/publish`, undefined, { "if-match": "*" });
  const path = `/response/surveys/${id}`;
  const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
  const bodies = [0, 40].map((first) =>
    JSON.stringify({
      respondentId,
      metadata: { complete: false },
      responses: added.map(({ elementId, choices: known }) => ({
        elementId,
        value: known.slice(first, first + 40).map((choice) => choice.id),
      })),
    }),
  );
  let sent = 0;
  return repeat(50, () => api.call("POST", path, { body: bodies[(sent += 1) % 2]! }));
};

/** Requests more crosstabs than a workspace may have computed at the same time; the excess is refused. */
export const floodOfCrosstabs =
  (surveyId: string, body: object): StartFlood =>
  async (api) =>
    repeat(100, () => api.call("POST", `/response/surveys/${surveyId}/crosstabs`, { body }));

function repeat(everyMs: number, send: () => Promise<unknown>): AsyncDisposable {
  const underWay = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const call = send().finally(() => underWay.delete(call));
    underWay.add(call);
  }, everyMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.allSettled(underWay);
    },
  };
}

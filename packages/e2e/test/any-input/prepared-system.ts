import { type ApiClient, type DemoSystem, type Json } from "../../src/index.ts";
import { publishSmallSurvey, startRespondent, type SmallSurvey } from "../small-survey.ts";
import { startTestSystem } from "../test-system.ts";

/** The system of any-input.test.ts, set in its beforeAll. */
export let demo: DemoSystem;
export let api: ApiClient;
/** The OpenAPI document. */
export let document: Json;

/** Resources for requests. */
export interface Prepared {
  survey: SmallSurvey;
  /** Existing ids by the names of path parameters. */
  ids: { surveyId: string; respondentId: string; tokenId: string; subscriptionId: string };
}

export async function startPreparedSystem(): Promise<void> {
  demo = await startTestSystem();
  ({ api } = demo);
  document = JSON.parse((await api.get("/openapi.json")).raw);
}

export async function stopPreparedSystem(): Promise<void> {
  await demo?.[Symbol.asyncDispose]();
}

/**
 * A published survey whose answers may always change, with another question in its draft, a respondent, a token and a
 * webhook. A workspace has at most twenty webhooks, so the caller deletes its own.
 */
export async function prepare(): Promise<Prepared> {
  const survey = await publishSmallSurvey(api);
  const { surveyId } = survey;
  const settings = { collection: { editAfterSubmit: "always" } };
  await api.call("PATCH", `/surveys/${surveyId}`, { headers: { "if-match": "*" }, body: { settings } });
  await api.post(`/surveys/${surveyId}/questions`, { questions: [{ type: "long_text", text: "Why?" }] });
  const respondentId = await startRespondent(api, survey);
  return { survey, ids: { surveyId, respondentId, tokenId: await newToken(), subscriptionId: await newWebhook() } };
}

export async function newSurvey(): Promise<string> {
  const questions = [{ type: "rating", text: "How was it?" }];
  return (await api.post("/surveys", { name: "Survey", questions })).data.id;
}

export const newToken = async (): Promise<string> => (await api.post("/tokens", { name: "Token" })).data.id;

let webhooks = 0;
export async function newWebhook(): Promise<string> {
  webhooks += 1;
  const webhook = { name: "Webhook", url: `${demo.receiver.url}/${webhooks}` };
  return (await api.post("/event-subscriptions", webhook)).data.id;
}

/** Ignores a webhook that is gone. */
export async function dropSubscription(subscriptionId: string): Promise<void> {
  await api.call("DELETE", `/event-subscriptions/${subscriptionId}`);
}

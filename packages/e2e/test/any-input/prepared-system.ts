import { type ApiClient, type DemoSystem, type Json } from "../../src/index.ts";
import { publishSmallSurvey, startRespondent, type SmallSurvey } from "../small-survey.ts";
import { startTestSystem } from "../test-system.ts";

/** One system for all of any-input.test.ts; there from its beforeAll on. */
export let demo: DemoSystem;
export let api: ApiClient;
/** The OpenAPI document. */
export let document: Json;

/** What requests can be about. */
export interface Prepared {
  survey: SmallSurvey;
  /** Ids that exist, by the names of path parameters. */
  ids: { surveyId: string; respondentId: string; tokenId: string; subscriptionId: string };
}

/** For beforeAll. */
export async function startPreparedSystem(): Promise<void> {
  demo = await startTestSystem();
  ({ api } = demo);
  document = JSON.parse((await api.get("/openapi.json")).raw);
}

/** For afterAll. */
export async function stopPreparedSystem(): Promise<void> {
  await demo?.[Symbol.asyncDispose]();
}

/**
 * A published survey whose answers may always be changed, with a further question in its draft, somebody who answers
 * it, a token and a webhook. Of webhooks a workspace holds twenty: whoever prepares drops its own.
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

/** A survey that can be published. */
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

/** Fine when it is gone already. */
export async function dropSubscription(subscriptionId: string): Promise<void> {
  await api.call("DELETE", `/event-subscriptions/${subscriptionId}`);
}

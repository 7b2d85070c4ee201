import { mostSubscriptions } from "@canvass/inputs";
import { waitFor } from "@canvass/testing";
import { createWorkspace, type ApiClient, type Json } from "../../src/index.ts";
import { connectOperator } from "../../src/connect-operator.ts";
import type { Databases } from "../databases.ts";
import { completeRespondent, publishSmallSurvey, startRespondent, type SmallSurvey } from "../small-survey.ts";
import { api, demo, insertDelivery, newPausedWebhook, prepareResources, type Prepared } from "./prepared-system.ts";

/** Resources for refusals besides a survey to write to. */
export interface RefusalScene {
  prepared: Prepared;
  /** Ids of another workspace by path parameter name. */
  foreign: Record<string, string>;
  retiredId: string;
  /** An NPS question of a closed survey, and a respondent who started it. */
  closed: { elementId: string; respondentId: string };
  /** Surveys that cannot be published, by the refusal's code. */
  unpublishable: Record<string, string>;
  events: EventsScene;
  /**
   * A workspace on the smallest plan, with a webhook and a survey. The survey's backup and version hold more questions
   * than the plan allows. `lockedId` is a survey with a setting that the plan lacks.
   */
  small: { token: string; ids: Record<string, string>; lockedId: string };
  tokens: Record<"wrong" | "expired" | "weak" | "powerless", string>;
}

export interface EventsScene {
  /** The address of an existing webhook. */
  takenUrl: string;
  feedId: string;
  disabledId: string;
  /** An active webhook that gets no events, and its deliveries by status. */
  quietId: string;
  deliveryIds: Record<"failed" | "pending" | "cancelled", string>;
  /** A paused webhook and a failed delivery of it. */
  pausedId: string;
  pausedDeliveryId: string;
  /** Token of a workspace that has reached its limit of subscriptions. */
  fullToken: string;
}

export async function prepareRefusals(databases: Databases): Promise<RefusalScene> {
  return {
    prepared: await prepareResources(),
    foreign: await foreignIds(),
    retiredId: await retiredElement(),
    closed: await closedSurvey(),
    unpublishable: await unpublishableSurveys(databases),
    events: await eventsScene(databases),
    small: await smallWorkspace(),
    tokens: await refusedTokens(databases),
  };
}

async function foreignIds(): Promise<Record<string, string>> {
  await using other = await createWorkspace(demo.system);
  const survey = await publishSmallSurvey(other.api);
  const { surveyId, pageId } = survey;
  return {
    workspaceId: other.workspaceId,
    surveyId,
    pageId,
    elementId: survey.choiceId,
    choiceId: survey.choices[0]!,
    respondentId: await startRespondent(other.api, survey),
    subscriptionId: (await other.api.post("/event-subscriptions", { name: "Foreign", url: demo.receiver.url })).data.id,
    ...(await copiesOf(other.api, surveyId)),
  };
}

async function copiesOf(by: ApiClient, surveyId: string): Promise<{ versionId: string; backupId: string }> {
  const { versionId } = (await by.get(`/surveys/${surveyId}/versions`)).data[0];
  const { backupId } = (await by.post(`/surveys/${surveyId}/draft/backups`)).data;
  return { versionId, backupId };
}

async function eventsScene(databases: Databases): Promise<EventsScene> {
  const subscribe = async (by: ApiClient, body: Json) => (await by.post("/event-subscriptions", body)).data;
  const { url: takenUrl } = await newPausedWebhook();
  const { id: feedId } = await subscribe(api, { name: "Feed" });
  const { id: disabledId } = await newPausedWebhook();
  const { id: pausedId } = await newPausedWebhook();
  const quietId = await newQuietWebhook(databases);
  const { workspaceId } = demo.system.local;
  const deliver = async (subscriptionId: string, status: string) =>
    (await insertDelivery(workspaceId, subscriptionId, status)).deliveryId;
  const pausedDeliveryId = await deliver(pausedId, "failed");
  const deliveryIds = {
    failed: await deliver(quietId, "failed"),
    pending: await deliver(quietId, "pending"),
    cancelled: await deliver(quietId, "cancelled"),
  };
  const disable = `UPDATE subscriptions SET status = 'disabled' WHERE subscription_id = '${disabledId}'`;
  await databases.query("webhook", disable);
  await using full = await createWorkspace(demo.system);
  for (let n = 0; n < mostSubscriptions; n++) await subscribe(full.api, { name: `Feed ${n}` });
  return { takenUrl, feedId, disabledId, quietId, pausedId, pausedDeliveryId, deliveryIds, fullToken: full.token };
}

/** Creates a webhook that is active but gets no events. */
async function newQuietWebhook(databases: Databases): Promise<string> {
  const { id } = await newPausedWebhook();
  await databases.query("webhook", `UPDATE subscriptions SET status = 'active' WHERE subscription_id = '${id}'`);
  return id;
}

async function retiredElement(): Promise<string> {
  const { textId } = await answeredSurvey();
  const { data } = await api.delete(`/elements/${textId}`);
  if (!data.retired) throw new Error("an answered element was not retired");
  return textId;
}

async function closedSurvey(): Promise<RefusalScene["closed"]> {
  const { data } = await api.post("/surveys", { name: "Closed", questions: [{ type: "nps", text: "-" }] });
  const path = `/surveys/${data.id}`;
  const always = { "if-match": "*" };
  await api.post(`${path}/publish`, {}, always);
  const elementId = (await api.get(`${path}/elements`)).data[0].id;
  const { respondentId } = (await api.post(`/response${path}/respondents`, {})).data;
  const settings = { schedule: { closesAt: "2020-01-01T00:00:00Z" } };
  await api.patch(path, { settings }, always);
  return { elementId, respondentId };
}

async function answeredSurvey(): Promise<SmallSurvey> {
  const survey = await publishSmallSurvey(api);
  await completeRespondent(api, survey);
  return survey;
}

async function unpublishableSurveys(databases: Databases): Promise<Record<string, string>> {
  const [clean, locked, reworded, shortened] = [
    await publishSmallSurvey(api),
    await publishSmallSurvey(api),
    await answeredSurvey(),
    await answeredSurvey(),
  ];
  await api.post(`/surveys/${locked.surveyId}/questions`, { questions: elevenQuestions });
  const { workspaceId, personId } = demo.system.local;
  await databases.query(
    "survey",
    `INSERT INTO survey_locks (workspace_id, survey_id, lease_id, holder, reason, expires_at)
     VALUES ('${workspaceId}', '${locked.surveyId}', 'lease', '${personId}', 'publishing', now() + interval '1 hour')`,
  );
  const settings = { typeSettings: {}, responseValidation: { required: true } };
  await put(`/elements/${reworded.ratingId}/settings`, { settings, questionText: "How good was it?" });
  await put(`/rating/${shortened.ratingId}/settings`, { steps: 3 });
  return {
    nothing_to_publish: clean.surveyId,
    survey_locked: locked.surveyId,
    acknowledgement_required: reworded.surveyId,
    breaking_change: shortened.surveyId,
  };
}

async function put(path: string, body: Json): Promise<void> {
  const { status, raw } = await api.call("PUT", path, { body });
  if (status !== 200) throw new Error(raw);
}

export const elevenQuestions = Array.from({ length: 11 }, (_, at) => ({ type: "yes_no", text: `Question ${at}?` }));

async function smallWorkspace(): Promise<RefusalScene["small"]> {
  await using workspace = await createWorkspace(demo.system);
  await using operator = connectOperator(demo.system);
  const { data } = await workspace.api.post("/surveys", { name: "Large", questions: elevenQuestions });
  const path = `/surveys/${data.id}`;
  await workspace.api.post(`${path}/publish`, {}, { "if-match": "*" });
  const unbranded = { name: "Unbranded", settings: { display: { showBranding: false } } };
  const lockedId: string = (await workspace.api.post("/surveys", unbranded)).data.id;
  const hook = await workspace.api.post("/event-subscriptions", { name: "Hook", url: demo.receiver.url });
  const subscriptionId: string = hook.data.id;
  const ids = { surveyId: data.id as string, subscriptionId, ...(await copiesOf(workspace.api, data.id)) };
  const { workspaceId } = workspace;
  const { deliveryId } = await insertDelivery(workspaceId, subscriptionId, "failed");
  await workspace.api.delete(`/elements/${data.questions[0].elementId}`);
  await operator.setPlan({ workspaceId: workspace.workspaceId, plan: "free" });
  // Probes with a new survey: questions added to this one under the larger plan would outnumber those restored, and a
  // restore would pass.
  const large = { name: "Large", questions: elevenQuestions };
  const isSmall = async () => (await workspace.api.call("POST", "/surveys", { body: large })).status === 403;
  await waitFor(isSmall, { describe: "the smaller plan to act" });
  return { token: workspace.token, ids: { ...ids, deliveryId }, lockedId };
}

async function refusedTokens(databases: Databases): Promise<RefusalScene["tokens"]> {
  await using operator = connectOperator(demo.system);
  const { workspaceId, token } = demo.system.local;
  const create = async (body: Json) => (await api.post("/tokens", body)).data;
  const expired = await create({ name: "expired", scopes: ["surveys:read"] });
  await databases.query(
    "token",
    `UPDATE api_tokens SET expires_at = now() - interval '1 day' WHERE token_id = '${expired.id}'`,
  );
  const role = `Powerless ${expired.id}`;
  await operator.createRole({ workspaceId, name: role, powers: ["manage_contacts"] });
  const person = { name: "Powerless", email: `${expired.id}@example.org`, role };
  const { personId } = await operator.addPerson({ workspaceId, ...person });
  const scopes = { scopes: ["full_access", "events:write"] };
  const issued = await operator.issueToken({ workspaceId, personId, name: "powerless", scopes, live: true });
  const { token: weak } = await create({ name: "weak", scopes: ["tokens:read"] });
  return { wrong: `${token}x`, expired: expired.token, weak, powerless: issued.tokenValue };
}

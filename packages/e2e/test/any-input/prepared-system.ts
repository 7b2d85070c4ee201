import { documentValidator } from "../../../../gateway/test/fuzz/document-validator.ts";
import { resolveReferences } from "../../../../gateway/test/fuzz/resolve-references.ts";
import { waitFor } from "@canvass/testing";
import { newId } from "@canvass/values";
import { type ApiClient, type DemoSystem, type Json } from "../../src/index.ts";
import { uploadOwnFile } from "../../src/upload-file.ts";
import { openDatabases, type Databases } from "../databases.ts";
import {
  publishSmallSurvey,
  smallQuestions,
  smallSurveyOf,
  startRespondent,
  type SmallSurvey,
} from "../small-survey.ts";
import { startTestSystem } from "../test-system.ts";
import { newTabledSurvey } from "./tabled-survey.ts";

/** Set in beforeAll. */
export let demo: DemoSystem;
export let api: ApiClient;
/** The OpenAPI document, with what each reference names in its place. */
export let document: Json;
/** Validators of its schemas, by the keys that lead to each. */
export let schemaAt: ReturnType<typeof documentValidator>;

let databases: Databases;
let fileId: string;
let importId: string;
let answersImportId: string;
let tabledId: string;

/** Resources for requests. */
export interface Prepared {
  survey: SmallSurvey;
  /** Existing ids by path parameter name. A prefix (`links respondentId`) names the resource where ids differ. */
  ids: Record<string, string> & { subscriptionId: string };
  /** The elements of the survey's page, in order. */
  elementIds: string[];
  /** Question id of the choice question. */
  questionId: string;
}

export async function startPreparedSystem(): Promise<void> {
  demo = await startTestSystem();
  api = withRespondentTokens(demo.api);
  databases = openDatabases(demo.system.local.databaseUrl);
  const written = JSON.parse((await api.get("/openapi.json")).raw);
  document = resolveReferences(written);
  schemaAt = documentValidator(written);
  const { baseUrl, token } = demo.system.local;
  fileId = (await uploadOwnFile(baseUrl, token)).uploaded.data.fileId;
  [importId, answersImportId, tabledId] = await Promise.all([importContacts(), importAnswers(), newTabledSurvey(api)]);
}

const importContacts = async (): Promise<string> =>
  (await api.post("/contacts/imports", { rows: [{ email: "row@example.org" }] })).data.id;

/** Imports a respondent into a survey of its own. */
async function importAnswers(): Promise<string> {
  const { surveyId } = await publishSmallSurvey(api);
  const [{ questionId }] = (await api.get(`/surveys/${surveyId}/elements`)).data;
  const headers = { "content-type": "text/csv" };
  return (await api.post(`/response/surveys/${surveyId}/import`, `status,${questionId}\nStarted,3`, headers)).data.id;
}

export async function stopPreparedSystem(): Promise<void> {
  await databases?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
}

interface Target {
  method: string;
  path: string;
}

/** Resources that operations share, except those that they write to. */
let shared: Promise<Prepared> | undefined;

const isAboutEvents = ({ path }: Target) => /^\/events?\b/.test(path);
const isAboutSurveys = ({ path }: Target) =>
  !/^\/(?:tokens|contacts|event-subscriptions|events|distribution\/\{)/.test(path);

/**
 * Calls `work` with prepared resources. Each operation gets its own of those that it is about, and shares others, as
 * all GETs do. Deletes the operation's webhook afterwards: a workspace has at most twenty.
 */
export async function withPrepared<Result>(
  target: Target,
  work: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const all = await (shared ??= prepareResources());
  if (target.method === "GET") return work(all);
  const own = isAboutSurveys(target) ? await prepareSurvey() : all;
  const { surveyId } = own.survey;
  const parts = await Promise.all([
    target.path.includes("{code}") ? comeByLink(surveyId) : {},
    target.path.includes("{distributorId}") ? newDistributors(surveyId) : {},
    target.path.includes("{tokenId}") ? newToken().then((tokenId) => ({ tokenId })) : {},
    target.path.includes("{contactId}") ? newContact().then((contactId) => ({ contactId })) : {},
    isAboutEvents(target) ? newWebhookWithDelivery() : {},
  ]);
  const prepared: Prepared = { ...own, ids: Object.assign({}, all.ids, own.ids, ...parts) };
  const result = await work(prepared);
  if (isAboutEvents(target)) await dropSubscription(prepared.ids.subscriptionId);
  return result;
}

/**
 * Prepares a published survey whose answers may always change, with more questions in its draft, a respondent, a token
 * and a webhook. The caller deletes the webhook.
 */
export async function prepareResources(): Promise<Prepared> {
  const prepared = await prepareSurvey();
  const { surveyId } = prepared.survey;
  const [coming, distributors, tokenId, contactId, webhook] = await Promise.all([
    comeByLink(surveyId),
    newDistributors(surveyId),
    newToken(),
    newContact(),
    newWebhookWithDelivery(),
  ]);
  return { ...prepared, ids: { ...prepared.ids, ...distributors, tokenId, contactId, ...webhook, ...coming } };
}

async function newDistributors(surveyId: string): Promise<Record<string, string>> {
  const [distributorId, single] = await Promise.all([
    newDistributor(surveyId),
    createDistributor(surveyId, "single_use_link"),
  ]);
  return { distributorId, "links distributorId": single };
}

async function newWebhookWithDelivery() {
  const subscriptionId = await newWebhook();
  return { subscriptionId, ...(await insertDelivery(demo.system.local.workspaceId, subscriptionId, "failed")) };
}

/** Like `prepareResources`, with what operations of authoring need only. */
async function prepareSurvey(): Promise<Omit<Prepared, "ids"> & { ids: Record<string, string> }> {
  const settings = { collection: { editAfterSubmit: "always" }, locale: { languages: ["de"] } };
  const questions = [...smallQuestions, npsQuestion];
  const { data: created } = await api.post("/surveys", { name: "Prepared", settings, questions });
  const surveyId: string = created.id;
  const survey = smallSurveyOf(surveyId, created.questions);
  await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
  const [{ elements, text, pictures, ...copies }, respondentId] = await Promise.all([
    prepareDraft(surveyId),
    startRespondent(api, survey),
  ]);
  const ids = {
    surveyId,
    pageId: survey.pageId,
    elementId: text,
    "multiple-choice elementId": survey.choiceId,
    "image-choice elementId": pictures,
    "nps elementId": created.questions.at(-1).elementId,
    "rating elementId": survey.ratingId,
    choiceId: survey.choices[0]!,
    respondentId,
    importId,
    "response importId": answersImportId,
    "crosstabs surveyId": tabledId,
    "series surveyId": tabledId,
    ...copies,
    language: "de",
    fileId,
  };
  const { questionId } = elements.find(({ id }) => id === survey.choiceId)!;
  return { survey, ids, questionId, elementIds: elements.map(({ id }) => id) };
}

/** Adds questions to the draft. Returns all its elements, and copies of the survey: a version and a backup. */
async function prepareDraft(surveyId: string) {
  const added = await api.post(`/surveys/${surveyId}/questions`, { questions: draftQuestions });
  const [text, pictures] = added.data.map(({ elementId }: { elementId: string }) => elementId) as [string, string];
  const elements: { id: string; questionId: string }[] = (await api.get(`/surveys/${surveyId}/elements`)).data;
  const versionId: string = (await api.get(`/surveys/${surveyId}/versions`)).data[0].versionId;
  const backupId: string = (await api.post(`/surveys/${surveyId}/draft/backups`)).data.backupId;
  return { text, pictures, elements, versionId, backupId };
}

/** Session tokens by respondent. */
const sessions = new Map<string, string>();

/** Adds the token of the respondent that the path names to each respondent's call. */
function withRespondentTokens(client: ApiClient): ApiClient {
  return {
    ...client,
    call: (method, path, { headers = {}, ...options } = {}) => {
      const [, named] = /^\/public\/v1\/.*\/respondents\/([^/?]+)/.exec(path) ?? [];
      if (named === undefined) return client.call(method, path, { headers, ...options });
      const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "x-respondent-token");
      const token = { "x-respondent-token": sessions.get(named) ?? "none" };
      return client.call(method, path, { headers: { ...Object.fromEntries(others), ...token }, ...options });
    },
  };
}

/** Creates a link that collects, and a respondent that starts through it. */
async function comeByLink(surveyId: string): Promise<Record<string, string>> {
  const { data: link } = await api.post(`/distribution/surveys/${surveyId}`, { name: "Link" });
  await api.post(`/distribution/${link.id}/activate`);
  const { data } = await api.post(`/public/v1/links/${link.code}/respondents`, {});
  sessions.set(data.respondentId, data.sessionToken);
  return { code: link.code, "links respondentId": data.respondentId };
}

const pictures = ["one", "two"].map((text) => ({ text, imageUrl: `https://example.org/${text}.png` }));
const npsQuestion = { type: "nps", text: "-" };
const draftQuestions = [
  { type: "long_text", text: "Why?" },
  { type: "image_choice", text: "Which picture?", choices: pictures },
];

export async function newSurvey(): Promise<string> {
  const questions = [{ type: "rating", text: "How was it?" }];
  return (await api.post("/surveys", { name: "Survey", questions })).data.id;
}

/** Creates a link that collects. */
export async function newDistributor(surveyId: string): Promise<string> {
  const distributorId = await createDistributor(surveyId, "link");
  await api.post(`/distribution/${distributorId}/activate`);
  return distributorId;
}

const createDistributor = async (surveyId: string, type: string): Promise<string> =>
  (await api.post(`/distribution/surveys/${surveyId}`, { name: "Distributor", type })).data.id;

/** Creates a question without answers. */
export async function newElement({ ids }: Prepared): Promise<string> {
  const question = { type: "short_text", text: "To be deleted" };
  return (await api.post(`/surveys/${ids["surveyId"]}/questions`, { questions: [question] })).data[0].elementId;
}

/** Creates a choice of the choice question. */
export const newChoice = ({ ids, questionId }: Prepared) => addChoice(ids["multiple-choice elementId"]!, questionId);

/** Creates a choice of the question with pictures. */
export async function newImageChoice({ ids }: Prepared): Promise<string> {
  const elementId = ids["image-choice elementId"]!;
  return addChoice(elementId, (await api.get(`/elements/${elementId}`)).data.questionId);
}

async function addChoice(elementId: string, questionId: string): Promise<string> {
  const choice = { choiceId: null, questionId, newTitle: "To be deleted" };
  return (await api.call("PUT", `/multiple-choice/${elementId}/choice`, { body: choice })).data.newId;
}

let contacts = 0;
export const newContact = async (): Promise<string> =>
  (await api.post("/contacts", { email: `person${(contacts += 1)}@example.org` })).data.id;

export const newToken = async (): Promise<string> => (await api.post("/tokens", { name: "Token" })).data.id;

/** Creates an export of the survey. Returns an unknown id while too many wait. */
export async function newExport({ ids }: Prepared): Promise<string> {
  const { status, data } = await api.call("POST", `/exports/surveys/${ids["surveyId"]}`, { body: { format: "csv" } });
  return status === 202 ? data.id : "0000000000000000";
}

const waiting = { describe: "an export", timeoutMs: 60_000 };

/** Adds a finished export of the survey and the name of its file. */
export async function addFinishedExport(prepared: Prepared): Promise<void> {
  let exportId = "";
  await waitFor(async () => {
    exportId = await newExport(prepared);
    return (await api.call("GET", `/exports/${exportId}`)).status === 200;
  }, waiting);
  await waitFor(async () => (await api.get(`/exports/${exportId}`)).data.status === "completed", waiting);
  const { url } = (await api.get(`/exports/${exportId}/download`)).data;
  Object.assign(prepared.ids, { exportId, downloadToken: new URL(url).pathname.split("/").at(-1)! });
}

/** Inserts a delivery with its own event. No worker picks it up. */
export async function insertDelivery(workspaceId: string, subscriptionId: string, status: string) {
  const now = new Date();
  const [deliveryId, eventId] = [newId(now), newId(now)];
  const body = JSON.stringify({ type: "response.completed", timestamp: now.toISOString(), data: {} });
  await databases.query(
    "delivery",
    `INSERT INTO deliveries (workspace_id, subscription_id, delivery_id, event_id, event_type, body, status, created_at)
     VALUES ($1, $2, $3, $4, 'response.completed', $5, $6, now())`,
    [workspaceId, subscriptionId, deliveryId, eventId, body, status],
  );
  return { deliveryId, eventId };
}

let webhooks = 0;
export const newWebhook = async (): Promise<string> => (await createWebhook()).id;

async function createWebhook(): Promise<{ id: string; url: string }> {
  webhooks += 1;
  const webhook = { name: "Webhook", url: `${demo.receiver.url}/${webhooks}` };
  return (await api.post("/event-subscriptions", webhook)).data;
}

/** Creates a webhook that gets no events, because it is paused. */
export async function newPausedWebhook(): Promise<{ id: string; url: string }> {
  const webhook = await createWebhook();
  const path = `/event-subscriptions/${webhook.id}`;
  const { status, raw } = await api.call("PATCH", path, { body: { status: "paused" } });
  if (status !== 200) throw new Error(raw);
  return webhook;
}

/** Deletes all webhooks. What operations share is prepared anew. */
export async function dropSubscriptions(): Promise<void> {
  shared = undefined;
  for (const { id } of (await api.get("/event-subscriptions")).data) await dropSubscription(id);
}

/** Ignores a webhook that does not exist. */
export async function dropSubscription(subscriptionId: string): Promise<void> {
  const drop = async () => (await api.call("DELETE", `/event-subscriptions/${subscriptionId}`)).status < 500;
  await waitFor(drop, { describe: "a webhook to be deleted" });
}

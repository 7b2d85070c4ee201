import { serviceNames } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiClient, type DemoSystem } from "../../src/index.ts";
import { formOf } from "../../src/upload-file.ts";
import { openDatabases, type Databases } from "../databases.ts";
import type { SharedSystem } from "../shared-system.ts";
import { filesWith, tablesWith } from "../traces.ts";

let demo: DemoSystem;
let api: ApiClient;
/** A client without a token. */
let people: ApiClient;
let databases: Databases;
/** Bodies that the receiver got. */
const received: string[] = [];

/** Finds a text in tables, files of the data directory, and received webhooks. */
async function whereIs(text: string): Promise<string[]> {
  const tables = await Promise.all(serviceNames.map((service) => tablesWith(databases, service, text)));
  const files = await filesWith(demo.dataDir, text);
  return [...tables.flat(), ...files, ...(received.join("\n").toLowerCase().includes(text) ? ["webhooks"] : [])].sort();
}

const keyed = (name: string) => ({ "idempotency-key": `${name}-${randomUUID()}` });

const questions = [
  { type: "contact_info", text: "Who are you?" },
  { type: "long_text", text: "What did you think?" },
  { type: "file_upload", text: "Show us", typeSettings: { extensions: ["txt"] } },
  {
    type: "multiple_choice",
    name: "food",
    text: "What did you eat?",
    choices: ["Soup", { text: "More", freeText: true }],
  },
];
/** A respondent with the field `guest` fills the quota. */
const fields = [{ name: "guest", type: "text" }];
const quotas = [{ name: "Named", when: { field: "guest", operator: "answered" }, limit: 50, onFull: "close" }];

async function publishSurvey() {
  const { data: created } = await api.post("/surveys", { name: "Guests", fields, quotas });
  const { data: added } = await api.post(`/surveys/${created.id}/questions`, { questions });
  await api.post(`/surveys/${created.id}/publish`, {}, { "if-match": "*" });
  const [person, text, file, food] = added.map(({ elementId }: { elementId: string }) => elementId) as string[];
  const more = added[3].choices[1].id as string;
  return { surveyId: created.id as string, person: person!, text: text!, file: file!, food: food!, more };
}

async function filled(surveyId: string): Promise<number> {
  return (await api.get(`/surveys/${surveyId}/quotas`)).data.quotas[0].count;
}

async function importAnswers(surveyId: string, csv: string): Promise<void> {
  const headers = { "content-type": "text/csv", ...keyed("answers") };
  const sent = await api.call("POST", `/response/surveys/${surveyId}/import`, { body: csv, headers });
  expect(sent.status).toBe(202);
  await ended(`/response/imports/${sent.data.id}`);
}

/** Uploads a file that contains the trace in its name and content, with a key. */
async function upload(client: ApiClient, path: string, fields: Record<string, string>, trace: string, session = {}) {
  const { headers, body } = formOf(fields, `${trace}-passport.txt`, `This is an ${trace}.`);
  const answer = await client.call("POST", path, { body, headers: { ...headers, ...session, ...keyed("upload") } });
  expect(answer.status).toBe(201);
  return [{ fileId: answer.body.data.fileId as string }];
}

async function ended(path: string): Promise<void> {
  const done = async () => ["completed", "failed"].includes((await api.get(path)).data.status);
  await waitFor(done, { describe: `${path} to end`, timeoutMs: 60_000 });
}

async function exportAll(surveyId: string): Promise<string> {
  const { data } = await api.post(`/exports/surveys/${surveyId}`, {
    format: "csv",
    contactFields: ["email", "attributes.home"],
  });
  await ended(`/exports/${data.id}`);
  const { data: link } = await api.get(`/exports/${data.id}/download`);
  const file = await fetch(link.url);
  expect(file.status).toBe(200);
  return file.text();
}

async function importRows(rows: object[]): Promise<void> {
  const { data } = await api.post("/contacts/imports", { rows, mode: "upsert", matchOn: "email" }, keyed("import"));
  await ended(`/contacts/imports/${data.id}`);
}

/**
 * Tests that erasing a person leaves no trace. Call it first: it searches the whole system, so there should be little
 * data.
 */
export function testErasedPeople(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    ({ api } = await shared.newWorkspace());
    people = createApiClient(demo.system.local.baseUrl, "");
    databases = openDatabases(demo.system.local.databaseUrl);
    const { data: hook } = await api.post("/event-subscriptions", { name: "CRM", url: demo.receiver.url });
    demo.receiver.trust(hook.secret);
    demo.receiver.intercept((request) => {
      received.push(JSON.stringify(request.headers), request.body);
      return 204;
    });
  });
  afterAll(async () => {
    demo.receiver.intercept(undefined);
    await databases?.[Symbol.asyncDispose]();
    await people?.[Symbol.asyncDispose]();
  });

  test("what a contact was is nowhere once its anonymization is complete", async () => {
    const trace = "quagga";
    const { surveyId, person, text, file } = await publishSurvey();
    const email = "ann.quagga@example.org";
    const names = { email, firstName: "Quaggadina", lastName: "Quaggason", externalId: "crm-quagga-1" };
    const attributes = { quaggafood: "grass", home: "Quaggaland" };
    const { data: contact } = await api.post("/contacts", { ...names, attributes }, keyed("create"));
    const path = `/contacts/${contact.id}`;
    const patch = { headers: { "if-match": "*", ...keyed("patch") }, body: { firstName: "Quaggarine" } };
    expect((await api.call("PATCH", path, patch)).status).toBe(200);
    await importRows([
      { email, lastName: "Quaggamann", attributes: { note: "likes quagga" } },
      { email, externalId: "quagga".repeat(60), lastName: "Quaggafault" },
      { email: "quagga at example", firstName: "Quaggaerror" },
    ]);
    // Refused requests, and searches.
    for (const body of [{ email, language: "quagga!" }, { email }, "{quagga"]) {
      expect((await api.call("POST", "/contacts", { body })).status).toBeGreaterThanOrEqual(400);
    }
    expect((await api.get(`/contacts?q=quagga&email=${email}&externalId=crm-quagga-1`)).data).toHaveLength(1);
    // Answers through the API, then through a personal link.
    const about = { firstName: "Quaggadina", lastName: "Quagga", email };
    const start = await api.post(
      `/response/surveys/${surveyId}/respondents`,
      { contactId: contact.id, language: "en", fields: { guest: "The quagga" } },
      keyed("start"),
    );
    const { respondentId } = start.data;
    const responses = [
      { elementId: person, value: about },
      { elementId: text, value: "Good." },
      { elementId: file, value: await upload(api, "/files", { surveyId, elementId: file, respondentId }, trace) },
    ];
    await api.post(`/response/surveys/${surveyId}`, { respondentId, responses }, keyed("answers"));
    const { data: distributor } = await api.post(`/distribution/surveys/${surveyId}`, {
      name: "Personal",
      type: "personal_link",
    });
    await api.post(`/distribution/${distributor.id}/activate`);
    const { data: links } = await api.post(`/distribution/${distributor.id}/links`, { contactIds: [contact.id] });
    const at = `/public/v1/links/${links[0].code}`;
    await people.get(at);
    const guest = { fields: { guest: "quagga by link" } };
    const { data: came } = await people.post(`${at}/respondents`, guest, keyed("public-start"));
    const session = { "x-respondent-token": came.sessionToken };
    const ownFile = await upload(
      people,
      `${at}/respondents/${came.respondentId}/files`,
      { elementId: file },
      trace,
      session,
    );
    const own = [
      { elementId: person, value: about },
      { elementId: file, value: ownFile },
    ];
    const saved = { responses: own, metadata: { complete: false } };
    await people.post(`${at}/respondents/${came.respondentId}/answers`, saved, { ...session, ...keyed("save") });
    expect(await exportAll(surveyId)).toContain("Quaggaland");
    expect(await filled(surveyId)).toBe(1);
    await waitFor(async () => received.length > 0, { describe: "a webhook" });
    await waitFor(async () => (await activity()).includes("link_opened"), { describe: "the opening to be told" });
    async function activity(): Promise<string[]> {
      return (await api.get(`${path}/activity?limit=100`)).data.map(({ type }: { type: string }) => type);
    }
    expect(await activity()).toEqual([
      "respondent_started",
      "link_opened",
      "link_issued",
      "respondent_completed",
      "respondent_started",
      "imported",
      "updated",
      "created",
    ]);
    const planted = await whereIs(trace);
    expect(planted).toEqual(expect.arrayContaining(["distribution.contacts", "response.answer_sets"]));

    await api.post(`${path}/anonymize`, { confirm: true }, keyed("anonymize"));
    await waitFor(async () => (await api.get(path)).data.erasure.status === "completed", { describe: "the receipt" });
    const { erasure } = (await api.get(path)).data;
    expect(erasure.services.map(({ service }: { service: string }) => service).sort()).toEqual([
      "distribution",
      "response",
    ]);
    await waitFor(async () => (await whereIs(trace)).length === 0, {
      describe: "every trace to go",
    }).catch(async () => expect(await whereIs(trace)).toEqual([]));
    expect(await filled(surveyId)).toBe(0);
    expect(await activity()).toEqual(["anonymized", "link_opened", "link_issued", "imported", "updated", "created"]);
    // The distribution database has no trace of the respondents. The response database has only the contact's notes:
    // the day's note and the one that the contact is gone.
    for (const id of [respondentId, came.respondentId])
      expect(await tablesWith(databases, "distribution", id)).toEqual([]);
    // The outbox drops the event about it once it is confirmed.
    await waitFor(async () => (await tablesWith(databases, "response", contact.id)).length === 2, {
      describe: "its notes",
    });
    expect((await tablesWith(databases, "response", contact.id)).toSorted()).toEqual([
      "response.erased_contacts",
      "response.gone_contacts",
    ]);
    // The session ended with the contact.
    const late = { headers: session, body: { responses: [{ elementId: text, value: "Late." }] } };
    expect((await people.call("POST", `${at}/respondents/${came.respondentId}/answers`, late)).status).toBe(404);
  });

  test("what a respondent wrote is nowhere once it is erased", async () => {
    const trace = "okapi";
    const { surveyId, person, text, file, food, more } = await publishSurvey();
    const path = `/response/surveys/${surveyId}`;
    const { data: distributor } = await api.post(`/distribution/surveys/${surveyId}`, { name: "Poster" });
    await api.post(`/distribution/${distributor.id}/activate`);
    const at = `/public/v1/links/${distributor.code}`;
    const metadata = { source: "okapi-campaign", okapi: "1" };
    const guest = { language: "en-okapi", metadata, fields: { guest: "The okapi" } };
    const { data: started } = await api.post(`${path}/respondents`, guest, keyed("second-start"));
    const { data: came } = await people.post(`${at}/respondents`, guest, keyed("second-come"));
    const answers = [
      { elementId: person, value: { firstName: "Okapina", email: "okapi@example.org" } },
      { elementId: text, value: "An okapi wrote this.", meta: { device: "okapiphone" } },
      { elementId: food, value: { choiceId: more, otherText: "Okapi leaves" } },
    ];
    const session = { "x-respondent-token": came.sessionToken };
    const ofLink = await upload(
      people,
      `${at}/respondents/${came.respondentId}/files`,
      { elementId: file },
      trace,
      session,
    );
    await people.post(
      `${at}/respondents/${came.respondentId}/answers`,
      {
        responses: [
          ...answers.map(({ elementId, value }) => ({ elementId, value })),
          { elementId: file, value: ofLink },
        ],
      },
      { ...session, ...keyed("second-save") },
    );
    // The file does not belong to the respondent until an answer names it.
    const ofToken = { elementId: file, value: await upload(api, "/files", { surveyId, elementId: file }, trace) };
    const responses = [...answers, ofToken];
    await api.post(path, { respondentId: started.respondentId, responses }, keyed("second-answers"));
    const { data: batch } = await api.post(
      `${path}/batch`,
      { submissions: [{ responses: answers, fields: { guest: "okapi of a batch" } }] },
      keyed("second-batch"),
    );
    const wrong = { respondentId: started.respondentId, responses: [{ elementId: person, value: "okapi" }] };
    expect((await api.call("POST", path, { body: wrong })).status).toBe(422);
    expect(await exportAll(surveyId)).toMatch(/okapi/);
    expect(await whereIs(trace)).toEqual(expect.arrayContaining(["response.answer_sets", "response.respondents"]));

    await importAnswers(surveyId, `externalId,food,field.guest\nokapi-7,Soup,okapi of a file\nokapi-8,Okapi?,x\n`);
    expect(await filled(surveyId)).toBe(4);
    const { data: all } = await api.get(`${path}/respondents`);
    const ids: string[] = all.map(({ respondentId }: { respondentId: string }) => respondentId);
    const own: string[] = [started.respondentId, came.respondentId, batch.submissions[0].respondentId];
    expect([ids.length, own.every((id) => ids.includes(id))]).toEqual([4, true]);
    for (const id of ids) expect((await api.call("DELETE", `${path}/respondents/${id}`)).status).toBe(200);
    await waitFor(async () => (await whereIs(trace)).length === 0, {
      describe: "every trace to go",
    }).catch(async () => expect(await whereIs(trace)).toEqual([]));
    expect(await filled(surveyId)).toBe(0);
  });
}

import type { ServiceName } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import { randomUUID } from "node:crypto";
import type { ApiClient, VerifyingReceiver } from "../src/index.ts";
import type { Databases } from "./databases.ts";
import { keyedDeliveries } from "./keyed-deliveries.ts";
import { completion, publishSmallSurvey, startRespondent } from "./small-survey.ts";

export interface KeyedWrite {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Another body, which the operation would refuse with a new key. */
  invalidBody: unknown;
  /** Whether the background work has ended. */
  settled?: () => Promise<boolean>;
  /** How often the write happened, by each place that shows it. */
  effects: () => Promise<Record<string, number>>;
}

export interface KeyedOperation {
  name: string;
  /** The service whose database holds the data and keys. */
  service: ServiceName;
  /** Creates what the write needs, so that the counted effects are its own. */
  prepare: (system: KeyedSystem) => Promise<KeyedWrite>;
}

export interface KeyedSystem {
  api: ApiClient;
  databases: Databases;
  receiver: VerifyingReceiver;
}

/** Every operation of the API that takes an idempotency key. */
export const keyedOperations: KeyedOperation[] = [
  {
    name: "creating a survey",
    service: "survey",
    async prepare({ api }) {
      const name = `Created ${randomUUID()}`;
      const effects = async () => {
        const { body } = await api.get(`/surveys?q=${encodeURIComponent(name)}&includeTotal=true`);
        return { surveys: body.pagination.total };
      };
      return { method: "POST", path: "/surveys", body: { name }, invalidBody: { nonsense: 1 }, effects };
    },
  },
  {
    name: "importing a survey",
    service: "survey",
    async prepare({ api }) {
      const name = `Imported ${randomUUID()}`;
      const effects = async () => {
        const { body } = await api.get(`/surveys?q=${encodeURIComponent(name)}&includeTotal=true`);
        return { surveys: body.pagination.total };
      };
      const body = { name, pages: [{ key: "start", elements: [] }] };
      return { method: "POST", path: "/surveys/import", body, invalidBody: { nonsense: 1 }, effects };
    },
  },
  {
    name: "importing a questionnaire",
    service: "survey",
    async prepare({ api }) {
      const name = `Brought ${randomUUID()}`;
      const effects = async () => {
        const { body } = await api.get(`/surveys?q=${encodeURIComponent(name)}&includeTotal=true`);
        return { surveys: body.pagination.total };
      };
      const body = { title: name, elements: [{ type: "comment", name: "why" }] };
      const path = "/surveys/import/questionnaire?format=surveyjs";
      return { method: "POST", path, body, invalidBody: { nonsense: 1 }, effects };
    },
  },
  {
    name: "copying a survey",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      const name = `Copied ${randomUUID()}`;
      const effects = async () => {
        const { body } = await api.get(`/surveys?q=${encodeURIComponent(name)}&includeTotal=true`);
        return { surveys: body.pagination.total };
      };
      return {
        method: "POST",
        path: `/surveys/${surveyId}/copy`,
        body: { name, version: 1 },
        invalidBody: { nonsense: 1 },
        effects,
      };
    },
  },
  {
    name: "replacing a survey's fields",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      return {
        method: "PUT",
        path: `/surveys/${surveyId}/fields`,
        body: { fields: [{ name: "customer", type: "text" }] },
        headers: { "if-match": "*" },
        invalidBody: { nonsense: 1 },
        effects: async () => ({ audited: await countAudited(api, "survey.fields_replaced", surveyId) }),
      };
    },
  },
  {
    name: "replacing a survey's quotas",
    service: "survey",
    async prepare({ api }) {
      const { surveyId, ratingId: elementId } = await publishSmallSurvey(api);
      const when = { elementId, operator: "answered" };
      return {
        method: "PUT",
        path: `/surveys/${surveyId}/quotas`,
        body: { quotas: [{ name: "all", when, limit: 5, onFull: "close" }] },
        headers: { "if-match": "*" },
        invalidBody: { nonsense: 1 },
        effects: async () => ({ audited: await countAudited(api, "survey.quotas_replaced", surveyId) }),
      };
    },
  },
  {
    name: "replacing a survey's document",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      return {
        method: "PUT",
        path: `/surveys/${surveyId}/document`,
        body: { name: "Replaced", pages: [{ key: "start", elements: [] }] },
        headers: { "if-match": "*" },
        invalidBody: { nonsense: 1 },
        effects: async () => ({
          backups: await countBackups(api, surveyId, "before_restore"),
          audited: await countAudited(api, "survey.document_replaced", surveyId),
        }),
      };
    },
  },
  {
    name: "translating a survey",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      const settings = { locale: { languages: ["de"] } };
      await api.patch(`/surveys/${surveyId}`, { settings }, { "if-match": "*" });
      return {
        method: "PUT",
        path: `/surveys/${surveyId}/translations/de`,
        body: { "survey.name": "Klein" },
        headers: { "if-match": "*" },
        invalidBody: { nonsense: "1" },
        effects: async () => ({ audited: await countAudited(api, "survey.translated", surveyId) }),
      };
    },
  },
  {
    name: "importing a translation",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      const settings = { locale: { languages: ["de"] } };
      await api.patch(`/surveys/${surveyId}`, { settings }, { "if-match": "*" });
      return {
        method: "POST",
        path: `/surveys/${surveyId}/translations/import?language=de&format=csv`,
        body: "place,source,target\nsurvey.name,Small survey,Klein",
        headers: { "content-type": "text/csv", "if-match": "*" },
        invalidBody: "nonsense",
        effects: async () => ({ audited: await countAudited(api, "survey.translated", surveyId) }),
      };
    },
  },
  {
    name: "changing texts of a translation",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      const settings = { locale: { languages: ["de"] } };
      await api.patch(`/surveys/${surveyId}`, { settings }, { "if-match": "*" });
      return {
        method: "PATCH",
        path: `/surveys/${surveyId}/translations/de`,
        body: { "survey.name": "Kleiner" },
        headers: { "if-match": "*" },
        invalidBody: { nonsense: "1" },
        effects: async () => ({ audited: await countAudited(api, "survey.translated", surveyId) }),
      };
    },
  },
  {
    name: "patching a survey",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      const { headers } = await api.get(`/surveys/${surveyId}`);
      return {
        method: "PATCH",
        path: `/surveys/${surveyId}`,
        body: { name: "Replayed" },
        headers: { "if-match": headers.get("etag")! },
        invalidBody: { type: "no number" },
        effects: async () => ({ audited: await countAudited(api, "survey.updated", surveyId) }),
      };
    },
  },
  {
    name: "adding questions",
    service: "survey",
    async prepare({ api }) {
      const path = `/surveys/${(await publishSmallSurvey(api)).surveyId}`;
      const text = "Really?";
      return {
        method: "POST",
        path: `${path}/questions`,
        body: { questions: [{ type: "yes_no", text }] },
        invalidBody: { questions: [] },
        async effects() {
          const elements: { questionText: string }[] = (await api.get(`${path}/elements`)).data;
          return { elements: elements.filter(({ questionText }) => questionText === text).length };
        },
      };
    },
  },
  {
    name: "publishing",
    service: "survey",
    async prepare({ api, databases }) {
      const questions = [{ type: "nps", text: "NPS", subject: "us" }];
      const { data, headers } = await api.post("/surveys", { name: "To publish", questions });
      const path = `/surveys/${data.id}`;
      const countVersions = `SELECT count(*)::int AS versions FROM versions WHERE survey_id = '${data.id}'`;
      return {
        method: "POST",
        path: `${path}/publish`,
        body: { note: "replayed" },
        headers: { "if-match": headers.get("etag")! },
        invalidBody: { note: 1 },
        async effects() {
          const [row] = await databases.query<{ versions: number }>("survey", countVersions);
          return { ...row!, publishedVersion: (await api.get(path)).data.publishedVersion };
        },
      };
    },
  },
  {
    name: "publishing again",
    service: "survey",
    async prepare({ api, databases }) {
      const { surveyId } = await publishSmallSurvey(api);
      await api.post(`/surveys/${surveyId}/questions`, { questions: [{ type: "yes_no", text: "Really?" }] });
      const versions = `SELECT count(*) - 1 AS versions FROM versions WHERE survey_id = '${surveyId}'`;
      return {
        method: "POST",
        path: `/surveys/${surveyId}/publish`,
        body: { note: "replayed" },
        headers: { "if-match": "*" },
        invalidBody: { note: 1 },
        effects: async () => ({
          versions: await countIn(databases, versions),
          published: (await countAudited(api, "survey.published", surveyId)) - 1,
        }),
      };
    },
  },
  {
    name: "backing a draft up",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      const path = `/surveys/${surveyId}/draft/backups`;
      return {
        method: "POST",
        path,
        invalidBody: { surprise: 1 },
        effects: async () => ({
          backups: await countBackups(api, surveyId, "manual"),
          audited: await countAudited(api, "survey.draft_backed_up", surveyId),
        }),
      };
    },
  },
  ...(["backup", "version"] as const).map((source): KeyedOperation => ({
    name: `restoring a ${source}`,
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      const list = source === "backup" ? "draft/backups" : "versions";
      const [newest] = (await api.get(`/surveys/${surveyId}/${list}`)).data;
      await api.post(`/surveys/${surveyId}/questions`, { questions: [{ type: "yes_no", text: "Really?" }] });
      return {
        method: "POST",
        path: `/surveys/${surveyId}/${list}/${newest[`${source}Id`]}/restore`,
        headers: { "if-match": "*" },
        invalidBody: { surprise: 1 },
        effects: async () => ({
          backups: await countBackups(api, surveyId, "before_restore"),
          audited: await countAudited(api, "survey.draft_restored", surveyId),
        }),
      };
    },
  })),
  {
    name: "starting a respondent",
    service: "response",
    async prepare({ api }) {
      const path = `/response/surveys/${(await publishSmallSurvey(api)).surveyId}`;
      return {
        method: "POST",
        path: `${path}/respondents`,
        body: { language: "de" },
        invalidBody: { language: 1 },
        async effects() {
          const { respondentStats } = (await api.get(`${path}/aggregation`)).data;
          return { started: respondentStats.totalStarted };
        },
      };
    },
  },
  {
    name: "erasing a respondent",
    service: "response",
    async prepare({ api }) {
      const survey = await publishSmallSurvey(api);
      const path = `/response/surveys/${survey.surveyId}`;
      const respondentId = await startRespondent(api, survey);
      return {
        method: "DELETE",
        path: `${path}/respondents/${respondentId}`,
        invalidBody: { unexpected: true },
        async effects() {
          const { respondentStats } = (await api.get(`${path}/aggregation`)).data;
          return {
            erased: 1 - respondentStats.totalStarted,
            audited: await countAudited(api, "survey.respondent_erased", survey.surveyId),
          };
        },
      };
    },
  },
  {
    name: "submitting answers",
    service: "response",
    async prepare({ api }) {
      const survey = await publishSmallSurvey(api);
      const path = `/response/surveys/${survey.surveyId}`;
      return {
        method: "POST",
        path,
        body: completion(survey, await startRespondent(api, survey)),
        invalidBody: { respondentId: 5, responses: {} },
        async effects() {
          const { respondentStats, questionStats } = (await api.get(`${path}/aggregation`)).data;
          return { completed: respondentStats.totalCompleted, rated: questionStats[0].responseCount };
        },
      };
    },
  },
  {
    name: "submitting a batch",
    service: "response",
    async prepare({ api }) {
      const survey = await publishSmallSurvey(api);
      const path = `/response/surveys/${survey.surveyId}`;
      const { respondentId: _, ...whole } = completion(survey, "");
      return {
        method: "POST",
        path: `${path}/batch`,
        body: { submissions: [whole] },
        invalidBody: { submissions: 5 },
        async effects() {
          const { respondentStats } = (await api.get(`${path}/aggregation`)).data;
          return { started: respondentStats.totalStarted, completed: respondentStats.totalCompleted };
        },
      };
    },
  },
  {
    name: "patching a token",
    service: "token",
    async prepare({ api }) {
      const { data } = await api.post("/tokens", { name: "to rename", scopes: ["surveys:read"] });
      return {
        method: "PATCH",
        path: `/tokens/${data.id}`,
        body: { name: "Replayed" },
        invalidBody: { name: "" },
        effects: async () => ({ audited: await countAudited(api, "token.updated", data.id) }),
      };
    },
  },
  {
    name: "revoking a token",
    service: "token",
    async prepare({ api }) {
      const { data } = await api.post("/tokens", { name: "to revoke", scopes: ["surveys:read"] });
      return {
        method: "DELETE",
        path: `/tokens/${data.id}`,
        invalidBody: { unexpected: true },
        effects: async () => ({ audited: await countAudited(api, "token.revoked", data.id) }),
      };
    },
  },
  {
    name: "requesting an export",
    service: "response",
    async prepare({ api, databases }) {
      const { surveyId } = await publishSmallSurvey(api);
      await makeRoomForExports(databases);
      const count = `SELECT count(*)::int AS exports FROM exports WHERE survey_id = '${surveyId}'`;
      return {
        method: "POST",
        path: `/exports/surveys/${surveyId}`,
        body: { format: "csv" },
        invalidBody: { format: "pdf" },
        effects: async () => (await databases.query<{ exports: number }>("response", count))[0]!,
      };
    },
  },
  {
    name: "deleting an export",
    service: "response",
    async prepare({ api, databases }) {
      const { surveyId } = await publishSmallSurvey(api);
      await makeRoomForExports(databases);
      const { data } = await api.post(`/exports/surveys/${surveyId}`, { format: "csv" });
      const path = `/exports/${data.id}`;
      // Deleting a running export would cancel it later, and the response could show either state.
      await waitFor(async () => (await api.get(path)).data.status === "completed", { describe: "the export" });
      return {
        method: "DELETE",
        path,
        invalidBody: { unexpected: true },
        effects: async () => ({ expired: (await api.get(path)).data.status === "expired" ? 1 : 0 }),
      };
    },
  },
  {
    name: "creating a contact",
    service: "distribution",
    async prepare({ api }) {
      const email = newAddress();
      const effects = async () => ({ contacts: await countContacts(api, email) });
      return { method: "POST", path: "/contacts", body: { email }, invalidBody: { email: "nobody" }, effects };
    },
  },
  {
    name: "patching a contact",
    service: "distribution",
    async prepare({ api }) {
      const { data } = await api.post("/contacts", { email: newAddress() });
      return {
        method: "PATCH",
        path: `/contacts/${data.id}`,
        body: { firstName: "Replayed" },
        headers: { "if-match": "*" },
        invalidBody: { firstName: 1 },
        effects: async () => ({
          audited: await countAudited(api, "contact.updated", data.id),
          activities: (await countActivities(api, data.id)) - 1,
        }),
      };
    },
  },
  {
    name: "unsubscribing a contact",
    service: "distribution",
    async prepare({ api }) {
      const { data } = await api.post("/contacts", { email: newAddress() });
      return {
        method: "POST",
        path: `/contacts/${data.id}/unsubscribe`,
        invalidBody: { unexpected: true },
        effects: async () => ({ audited: await countAudited(api, "contact.unsubscribed", data.id) }),
      };
    },
  },
  {
    name: "deleting contacts",
    service: "distribution",
    async prepare({ api }) {
      const email = newAddress();
      const { data } = await api.post("/contacts", { email });
      return {
        method: "POST",
        path: "/contacts/bulk-delete",
        body: { ids: [data.id] },
        invalidBody: { ids: [] },
        effects: async () => ({
          deleted: 1 - (await countContacts(api, email)),
          audited: await countAudited(api, "contact.deleted", data.id),
        }),
      };
    },
  },
  {
    name: "anonymizing a contact",
    service: "distribution",
    async prepare({ api }) {
      const { data } = await api.post("/contacts", { email: newAddress() });
      return {
        method: "POST",
        path: `/contacts/${data.id}/anonymize`,
        body: { confirm: true },
        invalidBody: { confirm: false },
        effects: async () => ({ audited: await countAudited(api, "contact.anonymized", data.id) }),
      };
    },
  },
  {
    name: "requesting an import",
    service: "distribution",
    async prepare({ databases }) {
      const email = newAddress();
      const count = `SELECT count(*)::int AS imports FROM contact_imports i WHERE mode = 'create' AND total = ${++imports}`;
      const rows = Array.from({ length: imports }, () => ({ email }));
      return {
        method: "POST",
        path: "/contacts/imports",
        body: { rows, mode: "create" },
        invalidBody: { rows: [] },
        effects: async () => (await databases.query<{ imports: number }>("distribution", count))[0]!,
      };
    },
  },
  {
    name: "requesting an import of a file",
    service: "distribution",
    async prepare({ databases }) {
      const externalId = randomUUID();
      const count = `SELECT count(*)::int AS imports FROM contact_imports i WHERE match_on = 'externalId' AND total = ${++imports}`;
      const lines = ["externalId", ...Array.from({ length: imports }, () => externalId)];
      return {
        method: "POST",
        path: "/contacts/imports/csv?matchOn=externalId",
        body: lines.join("\n"),
        headers: { "content-type": "text/csv" },
        invalidBody: "externalId",
        effects: async () => (await databases.query<{ imports: number }>("distribution", count))[0]!,
      };
    },
  },
  {
    name: "importing answers",
    service: "response",
    async prepare({ api, databases }) {
      const { surveyId, ratingId } = await publishSmallSurvey(api);
      const rows = `SELECT count(*)::int AS imports FROM response_imports WHERE survey_id = '${surveyId}'`;
      const { data } = await api.get(`/surveys/${surveyId}/elements`);
      const { questionId } = data.find(({ id }: { id: string }) => id === ratingId);
      return {
        method: "POST",
        path: `/response/surveys/${surveyId}/import`,
        body: `status,${questionId}\nStarted,3`,
        headers: { "content-type": "text/csv" },
        invalidBody: "status",
        effects: async () => (await databases.query<{ imports: number }>("response", rows))[0]!,
      };
    },
  },
  {
    name: "creating a distributor",
    service: "distribution",
    async prepare({ api, databases }) {
      const { surveyId } = await publishSmallSurvey(api);
      const count = `SELECT count(*)::int AS distributors FROM distributors WHERE survey_id = '${surveyId}'`;
      return {
        method: "POST",
        path: `/distribution/surveys/${surveyId}`,
        body: { name: "Newsletter", settings: { password: "lavender" } },
        invalidBody: { name: "" },
        effects: async () => (await databases.query<{ distributors: number }>("distribution", count))[0]!,
      };
    },
  },
  distributorWrite("patching a distributor", "distributor.updated", (path) => ({
    method: "PATCH",
    path,
    body: { name: "Replayed" },
    headers: { "if-match": "*" },
    invalidBody: { name: 1 },
  })),
  distributorWrite("replacing a distributor's settings", "distributor.updated", (path) => ({
    method: "PUT",
    path: `${path}/settings`,
    body: { allowMultiple: true, password: "lavender" },
    headers: { "if-match": "*" },
    invalidBody: { nonsense: 1 },
  })),
  distributorMove("activate", "distributor.activated"),
  distributorMove("pause", "distributor.paused", "activate"),
  distributorMove("resume", "distributor.resumed", "activate", "pause"),
  distributorMove("close", "distributor.closed", "activate"),
  distributorWrite("issuing links", "distributor.links_issued", (path) => ({
    method: "POST",
    path: `${path}/links`,
    body: { count: 3 },
    invalidBody: { count: 0 },
  })),
  distributorWrite("deleting a distributor", "distributor.deleted", (path) => ({
    method: "DELETE",
    path,
    invalidBody: { unexpected: true },
  })),
  {
    name: "patching a subscription",
    service: "webhook",
    async prepare({ api }) {
      const { data } = await api.post("/event-subscriptions", { name: "to pause" });
      return {
        method: "PATCH",
        path: `/event-subscriptions/${data.id}`,
        body: { status: "paused" },
        invalidBody: { status: "disabled" },
        effects: async () => ({ audited: await countAudited(api, "subscription.updated", data.id) }),
      };
    },
  },
  {
    name: "deleting a subscription",
    service: "webhook",
    async prepare({ api }) {
      const { data } = await api.post("/event-subscriptions", { name: "to delete" });
      return {
        method: "DELETE",
        path: `/event-subscriptions/${data.id}`,
        invalidBody: { unexpected: true },
        effects: async () => ({ audited: await countAudited(api, "subscription.deleted", data.id) }),
      };
    },
  },
  ...keyedDeliveries,
];

/** A write to a distributor of single-use links. The audit log shows its effects. */
function distributorWrite(
  name: string,
  action: string,
  write: (path: string) => Omit<KeyedWrite, "effects">,
  moves: readonly string[] = [],
): KeyedOperation {
  return {
    name,
    service: "distribution",
    async prepare({ api }) {
      const surveyId = await surveyOf(api);
      const { data } = await api.post(`/distribution/surveys/${surveyId}`, { name: "Link", type: "single_use_link" });
      const path = `/distribution/${data.id}`;
      for (const move of moves) await api.post(`${path}/${move}`);
      const effects = async () => ({ audited: await countAudited(api, action, data.id) });
      return { ...write(path), effects };
    },
  };
}

const surveys = new WeakMap<ApiClient, string>();

/** Returns the published survey that all links of a workspace share. */
async function surveyOf(api: ApiClient): Promise<string> {
  const surveyId = surveys.get(api) ?? (await publishSmallSurvey(api)).surveyId;
  surveys.set(api, surveyId);
  return surveyId;
}

/** `before` lists the moves that must come first. */
function distributorMove(move: string, action: string, ...before: string[]): KeyedOperation {
  const write = (path: string) => ({ method: "POST", path: `${path}/${move}`, invalidBody: { unexpected: true } });
  return distributorWrite(`${move} of a distributor`, action, write, before);
}

const newAddress = () => `${randomUUID()}@example.org`;

/** Row count of the latest import. Each import has a different one, which identifies it. */
let imports = 0;

const countContacts = async (api: ApiClient, email: string): Promise<number> =>
  (await api.get(`/contacts?email=${encodeURIComponent(email)}`)).data.length;

const countActivities = async (api: ApiClient, contactId: string): Promise<number> =>
  (await api.get(`/contacts/${contactId}/activity`)).data.length;

/** Lets workers take over jobs that killed services left: a workspace runs one export at a time, and ten may wait. */
async function makeRoomForExports(databases: Databases): Promise<void> {
  await databases.query("response", "UPDATE jobs SET due_at = now(), attempts = 0 WHERE outcome IS NULL");
  const open = () => databases.query("response", "SELECT FROM jobs WHERE outcome IS NULL");
  await waitFor(async () => (await open()).length < 5, { describe: "room for exports", timeoutMs: 60_000 });
}

async function countAudited(api: ApiClient, action: string, resource: string): Promise<number> {
  return (await api.get(`/audit-log?action=${action}&resource=${resource}`)).data.length;
}

async function countBackups(api: ApiClient, surveyId: string, reason: string): Promise<number> {
  const backups: { reason: string }[] = (await api.get(`/surveys/${surveyId}/draft/backups`)).data;
  return backups.filter((backup) => backup.reason === reason).length;
}

async function countIn(databases: Databases, statement: string): Promise<number> {
  const [row] = await databases.query<{ versions: string }>("survey", statement);
  return Number(row!.versions);
}

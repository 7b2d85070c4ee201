import { randomUUID } from "node:crypto";
import type { ApiClient } from "../../src/index.ts";
import type { Databases } from "../databases.ts";
import { publishSmallSurvey } from "../small-survey.ts";
import { auditedWrite, countAudited } from "./audited-write.ts";
import type { KeyedOperation, KeyedWrite } from "./keyed-operation.ts";

const anyRevision = { "if-match": "*" };

/** Writes of surveys, drafts and translations. */
export const surveyWrites: KeyedOperation[] = [
  creation("creating a survey", async (name) => ({ path: "/surveys", body: { name } })),
  creation("importing a survey", async (name) => ({
    path: "/surveys/import",
    body: { name, pages: [{ key: "start", elements: [] }] },
  })),
  creation("importing a questionnaire", async (title) => ({
    path: "/surveys/import/questionnaire?format=surveyjs",
    body: { title, elements: [{ type: "comment", name: "why" }] },
  })),
  creation("copying a survey", async (name, api) => ({
    path: `/surveys/${(await publishSmallSurvey(api)).surveyId}/copy`,
    body: { name, version: 1 },
  })),
  change("replacing a survey's fields", "survey.fields_replaced", ({ path }) => ({
    method: "PUT",
    path: `${path}/fields`,
    body: { fields: [{ name: "customer", type: "text" }] },
    invalidBody: { nonsense: 1 },
  })),
  change("replacing a survey's quotas", "survey.quotas_replaced", ({ path, ratingId: elementId }) => ({
    method: "PUT",
    path: `${path}/quotas`,
    body: { quotas: [{ name: "all", when: { elementId, operator: "answered" }, limit: 5, onFull: "close" }] },
    invalidBody: { nonsense: 1 },
  })),
  {
    name: "replacing a survey's document",
    service: "survey",
    async prepare({ api }) {
      const { surveyId } = await publishSmallSurvey(api);
      return {
        method: "PUT",
        path: `/surveys/${surveyId}/document`,
        body: { name: "Replaced", pages: [{ key: "start", elements: [] }] },
        headers: anyRevision,
        invalidBody: { nonsense: 1 },
        effects: async () => ({
          backups: await countBackups(api, surveyId, "before_restore"),
          audited: await countAudited(api, "survey.document_replaced", surveyId),
        }),
      };
    },
  },
  change("translating a survey", "survey.translated", ({ path }) => ({
    method: "PUT",
    path: `${path}/translations/de`,
    body: { "survey.name": "Klein" },
    invalidBody: { nonsense: "1" },
  })),
  change("importing a translation", "survey.translated", ({ path }) => ({
    method: "POST",
    path: `${path}/translations/import?language=de&format=csv`,
    body: "place,source,target\nsurvey.name,Small survey,Klein",
    headers: { "content-type": "text/csv", ...anyRevision },
    invalidBody: "nonsense",
  })),
  change("changing texts of a translation", "survey.translated", ({ path }) => ({
    method: "PATCH",
    path: `${path}/translations/de`,
    body: { "survey.name": "Kleiner" },
    invalidBody: { nonsense: "1" },
  })),
  change("patching a survey", "survey.updated", ({ path, etag }) => ({
    method: "PATCH",
    path,
    body: { name: "Replayed" },
    headers: { "if-match": etag },
    invalidBody: { type: "no number" },
  })),
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
      const statement = `SELECT count(*)::int AS versions FROM versions WHERE survey_id = '${data.id}'`;
      return {
        method: "POST",
        path: `${path}/publish`,
        body: { note: "replayed" },
        headers: { "if-match": headers.get("etag")! },
        invalidBody: { note: 1 },
        async effects() {
          const [row] = await databases.query<{ versions: number }>("survey", statement);
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
      const statement = `SELECT count(*) - 1 AS versions FROM versions WHERE survey_id = '${surveyId}'`;
      return {
        method: "POST",
        path: `/surveys/${surveyId}/publish`,
        body: { note: "replayed" },
        headers: anyRevision,
        invalidBody: { note: 1 },
        effects: async () => ({
          versions: await countVersions(databases, statement),
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
        headers: anyRevision,
        invalidBody: { surprise: 1 },
        effects: async () => ({
          backups: await countBackups(api, surveyId, "before_restore"),
          audited: await countAudited(api, "survey.draft_restored", surveyId),
        }),
      };
    },
  })),
];

/** A write that creates a survey of a new name, by which it is counted. */
function creation(
  name: string,
  write: (name: string, api: ApiClient) => Promise<Pick<KeyedWrite, "path" | "body">>,
): KeyedOperation {
  return {
    name,
    service: "survey",
    async prepare({ api }) {
      const surveyName = `Created ${randomUUID()}`;
      const effects = async () => {
        const { body } = await api.get(`/surveys?q=${encodeURIComponent(surveyName)}&includeTotal=true`);
        return { surveys: body.pagination.total };
      };
      return { method: "POST", ...(await write(surveyName, api)), invalidBody: { nonsense: 1 }, effects };
    },
  };
}

/** A change of a small survey. The audit log shows its effects. */
function change(
  name: string,
  action: string,
  write: (survey: { path: string; ratingId: string; etag: string }) => Omit<KeyedWrite, "effects">,
): KeyedOperation {
  return auditedWrite(name, "survey", action, async ({ api }) => {
    const { surveyId, ratingId } = await publishSmallSurvey(api);
    const path = `/surveys/${surveyId}`;
    if (action === "survey.translated")
      await api.patch(path, { settings: { locale: { languages: ["de"] } } }, anyRevision);
    const { headers } = await api.get(path);
    return { resource: surveyId, headers: anyRevision, ...write({ path, ratingId, etag: headers.get("etag")! }) };
  });
}

async function countBackups(api: ApiClient, surveyId: string, reason: string): Promise<number> {
  const backups: { reason: string }[] = (await api.get(`/surveys/${surveyId}/draft/backups`)).data;
  return backups.filter((backup) => backup.reason === reason).length;
}

async function countVersions(databases: Databases, statement: string): Promise<number> {
  const [row] = await databases.query<{ versions: string }>("survey", statement);
  return Number(row!.versions);
}

import { randomUUID } from "node:crypto";
import type { ApiClient } from "../../src/index.ts";
import type { Databases } from "../databases.ts";
import { publishSmallSurvey } from "../small-survey.ts";
import { countAudited } from "./count-audited.ts";
import type { KeyedOperation } from "./keyed-operation.ts";

/** Writes of surveys, drafts and translations. */
export const surveyWrites: KeyedOperation[] = [
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
];

async function countBackups(api: ApiClient, surveyId: string, reason: string): Promise<number> {
  const backups: { reason: string }[] = (await api.get(`/surveys/${surveyId}/draft/backups`)).data;
  return backups.filter((backup) => backup.reason === reason).length;
}

async function countIn(databases: Databases, statement: string): Promise<number> {
  const [row] = await databases.query<{ versions: string }>("survey", statement);
  return Number(row!.versions);
}

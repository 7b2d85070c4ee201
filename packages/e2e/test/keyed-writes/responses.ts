import { waitFor } from "@canvass/testing";
import type { Databases } from "../databases.ts";
import { completion, publishSmallSurvey, startRespondent } from "../small-survey.ts";
import { countAudited } from "./audited-write.ts";
import type { KeyedOperation } from "./keyed-operation.ts";

/** Answers, exports, and imports of answers. */
export const responseWrites: KeyedOperation[] = [
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
];

/** Lets workers take over jobs that killed services left: a workspace runs one export at a time, and ten may wait. */
async function makeRoomForExports(databases: Databases): Promise<void> {
  await databases.query("response", "UPDATE jobs SET due_at = now(), attempts = 0 WHERE outcome IS NULL");
  const open = () => databases.query("response", "SELECT FROM jobs WHERE outcome IS NULL");
  await waitFor(async () => (await open()).length < 5, { describe: "room for exports", timeoutMs: 60_000 });
}

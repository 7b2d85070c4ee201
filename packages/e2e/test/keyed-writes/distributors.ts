import type { ApiClient } from "../../src/index.ts";
import { publishSmallSurvey } from "../small-survey.ts";
import { auditedWrite } from "./audited-write.ts";
import type { KeyedOperation, KeyedWrite } from "./keyed-operation.ts";

/** Writes of distributors. */
export const distributorWrites: KeyedOperation[] = [
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
  distributorTransition("activate", "distributor.activated"),
  distributorTransition("pause", "distributor.paused", "activate"),
  distributorTransition("resume", "distributor.resumed", "activate", "pause"),
  distributorTransition("close", "distributor.closed", "activate"),
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
];

/** A write to a distributor of single-use links. The audit log shows its effects. */
function distributorWrite(
  name: string,
  action: string,
  write: (path: string) => Omit<KeyedWrite, "effects">,
  moves: readonly string[] = [],
): KeyedOperation {
  return auditedWrite(name, "distribution", action, async ({ api }) => {
    const surveyId = await surveyOf(api);
    const { data } = await api.post(`/distribution/surveys/${surveyId}`, { name: "Link", type: "single_use_link" });
    const path = `/distribution/${data.id}`;
    for (const move of moves) await api.post(`${path}/${move}`);
    return { resource: data.id, ...write(path) };
  });
}

const surveys = new WeakMap<ApiClient, string>();

/** Returns the published survey that all links of a workspace share. */
async function surveyOf(api: ApiClient): Promise<string> {
  const surveyId = surveys.get(api) ?? (await publishSmallSurvey(api)).surveyId;
  surveys.set(api, surveyId);
  return surveyId;
}

/** `before` lists the transitions that must come first. */
function distributorTransition(move: string, action: string, ...before: string[]): KeyedOperation {
  const write = (path: string) => ({ method: "POST", path: `${path}/${move}`, invalidBody: { unexpected: true } });
  return distributorWrite(`${move} of a distributor`, action, write, before);
}

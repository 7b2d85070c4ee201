import type { ApiClient } from "../api-client.ts";

/** Creates a link for answering a published survey. Returns its address. */
export async function shareSurvey(api: ApiClient, surveyId: string): Promise<string> {
  const { data } = await api.post(`/distribution/surveys/${surveyId}`, { name: "Answer it yourself" });
  await api.post(`/distribution/${data.id}/activate`);
  return data.url;
}

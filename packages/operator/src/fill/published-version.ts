import { OperationalError } from "@canvass/provisioning/operational-error";
import type { SurveyDefinition } from "@canvass/questions";
import type { HttpApi } from "../http-api/http-api.ts";

type Version = { versionId: string; versionNumber: number; definition: SurveyDefinition };

export async function publishedVersion(api: HttpApi, surveyId: string): Promise<Version> {
  const path = `/surveys/${encodeURIComponent(surveyId)}`;
  const survey = await api.get<{ publishedVersion: number | null }>(path);
  const versions = await api.get<Omit<Version, "definition">[]>(`${path}/versions?limit=1`);
  const newest = versions.find(({ versionNumber }) => versionNumber === survey.publishedVersion);
  if (!newest) throw new OperationalError("--survey: It is not published; publish it first.");
  return api.get<Version>(`${path}/versions/${newest.versionId}`);
}

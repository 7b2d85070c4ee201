import { OperationalError } from "@canvass/provisioning/operational-error";
import type { SurveyDefinition } from "@canvass/questions";
import type { HttpApi } from "../http-api/http-api.ts";

type Version = { versionId: string; versionNumber: number; definition: SurveyDefinition };
type Survey = { publishedVersion: number | null; language: string; settings: { locale: { languages: string[] } } };

/** The published version, and the languages in which the survey is offered, its own first. */
export type Published = Version & { languages: string[] };

export async function publishedVersion(api: HttpApi, surveyId: string): Promise<Published> {
  const path = `/surveys/${encodeURIComponent(surveyId)}`;
  const survey = await api.get<Survey>(path);
  const versions = await api.get<Omit<Version, "definition">[]>(`${path}/versions?limit=1`);
  const newest = versions.find(({ versionNumber }) => versionNumber === survey.publishedVersion);
  if (!newest) throw new OperationalError("--survey: It is not published; publish it first.");
  const version = await api.get<Version>(`${path}/versions/${newest.versionId}`);
  return { ...version, languages: [survey.language, ...survey.settings.locale.languages] };
}

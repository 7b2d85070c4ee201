import type { Canvass, RequestOptions } from "@canvass/sdk";
import { digestOf, type SurveyFile } from "./survey-file.ts";
import { writeState, type SurveyState } from "./survey-state.ts";

/** How a survey was by its ETag. */
type Known = { id: string; etag: string };

/** Stores the survey's document, unless others have changed the survey since: then the next plan shows that. */
export async function keepDocument(
  canvass: Canvass,
  url: string,
  { path, format }: Pick<SurveyFile, "path" | "format">,
  { id: surveyId, etag }: Known,
  options?: RequestOptions,
): Promise<SurveyState> {
  const server = await canvass.surveys.document(surveyId, { format }, options);
  const state = { surveyId, document: server.etag === etag ? digestOf(server.text) : null };
  await writeState(path, url, state);
  return state;
}

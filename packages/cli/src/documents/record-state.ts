import type { Canvass, RequestOptions } from "@canvass/sdk";
import { digestOf, type SurveyFile } from "./survey-file.ts";
import { writeState, type SurveyState } from "./survey-state.ts";

/** The survey as it was read or written last. */
type Known = { id: string; etag: string };

/**
 * Stores and returns a file's state: its survey, with the digest of the survey's document if the survey still has this
 * ETag. Otherwise others changed it, and the next plan reports drift.
 */
export async function recordState(
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

import { randomUUID } from "node:crypto";
import { OperationalError } from "@canvass/provisioning";
import { CanvassError, type Canvass, type RequestOptions } from "@canvass/sdk";
import { recordState } from "./record-state.ts";
import { formatOf, type SurveyFile } from "./survey-file.ts";
import { isCreation, readState, statePath, writeState, type Creation, type SurveyState } from "./survey-state.ts";

/** The API replays a key for 24 hours (contract 3.4). */
const longestMs = 23 * 3_600_000;

/** Refusals that say that nothing was created, also by an earlier attempt with the key. */
const refusals = new Set([
  "malformed_json",
  "malformed_yaml",
  "invalid_request",
  "payload_too_large",
  "validation_failed",
  "feature_locked",
  "quota_exceeded",
]);

/**
 * Returns the state of the survey of a file, which is created if there is none. What is sent is kept before, with its
 * key: after a kill the same request is sent again, and creates no second survey.
 */
export async function ensureSurvey(
  canvass: Canvass,
  url: string,
  file: SurveyFile,
  options?: RequestOptions,
): Promise<SurveyState & { created: boolean }> {
  const known = await readState(file.path, url);
  if (known && !isCreation(known)) return { ...known, created: false };
  if (known) {
    const interrupted = await sendCreation(canvass, url, file.path, known, options).catch((error: unknown) => {
      // It had created nothing, and the file may be another one by now.
      if (!isRefusal(error)) throw error;
    });
    if (interrupted) return interrupted;
  }
  const { text, format } = file;
  const creating = { idempotencyKey: randomUUID(), since: new Date().toISOString(), text, format };
  await writeState(file.path, url, { creating });
  return sendCreation(canvass, url, file.path, { creating }, options);
}

async function sendCreation(
  canvass: Canvass,
  url: string,
  path: string,
  { creating }: Creation,
  options?: RequestOptions,
): Promise<SurveyState & { created: boolean }> {
  const { idempotencyKey, since, ...document } = creating;
  if (Date.now() - Date.parse(since) > longestMs) {
    throw new OperationalError(
      `An apply of ${since} may have created a survey. Look for it by canvass surveys list; if it is there, take it by canvass pull <survey> ${path} --force, else delete ${statePath(path)}.`,
    );
  }
  try {
    // A replay has the first ETag, which shows whether others have changed the survey since.
    const survey = await canvass.surveys.import(document, { ...options, idempotencyKey });
    const state = await recordState(canvass, url, { path, format: formatOf(path) }, survey, options);
    return { ...state, created: true };
  } catch (error) {
    if (isRefusal(error)) await writeState(path, url, undefined);
    throw error;
  }
}

const isRefusal = (error: unknown): boolean => error instanceof CanvassError && refusals.has(error.code);

import { OperationalError } from "@canvass/provisioning";
import { CanvassError, type Api, type Canvass, type RequestOptions } from "@canvass/sdk";
import { diffLines } from "./diff-lines.ts";
import { maskPasswords } from "./mask-passwords.ts";
import { digestOf, type SurveyFile } from "./survey-file.ts";
import { statePath, type SurveyState } from "./survey-state.ts";

/** The changes that a file would make to its survey, according to the API. */
export type SurveyPlan = Api.DocumentPlan & {
  surveyId: string;
  /** The survey's when this was planned. */
  etag: string;
  /** The file would undo what others changed since the last pull or apply. */
  drift: boolean;
  /** Lines that differ, without passwords; null if there is nothing to write, or if they take too long to find. */
  diff: string | null;
};

const mostAttempts = 3;

/** Plans a file against the survey that its state names. Throws OperationalError if that is not there. */
export async function planSurvey(
  canvass: Canvass,
  file: SurveyFile,
  { surveyId, document }: SurveyState,
  options?: RequestOptions,
): Promise<SurveyPlan> {
  for (let left = mostAttempts; left > 0; left -= 1) {
    const server = await readServer(canvass, file, surveyId, options);
    const { etag, ...planned } = await canvass.surveys.planDocument(surveyId, file, options);
    // The survey was changed in between.
    if (etag !== server.etag) continue;
    const differs = planned.writes.length > 0;
    return {
      ...planned,
      surveyId,
      etag,
      drift: differs && digestOf(server.text) !== document,
      diff: differs ? diffOf(server.text, file, surveyId) : null,
    };
  }
  throw new OperationalError(`Survey ${surveyId} changes all the time; run it again when others have ended.`);
}

function diffOf(stored: string, { text, path }: SurveyFile, surveyId: string): string | null {
  const [before, after] = [maskPasswords(stored), maskPasswords(text)];
  return before === undefined || after === undefined ? null : diffLines(before, after, `survey ${surveyId}`, path);
}

async function readServer(canvass: Canvass, file: SurveyFile, surveyId: string, options?: RequestOptions) {
  try {
    return await canvass.surveys.document(surveyId, { format: file.format }, options);
  } catch (error) {
    if (!(error instanceof CanvassError) || error.code !== "survey_not_found") throw error;
    throw new OperationalError(
      `Survey ${surveyId}, which ${statePath(file.path)} names, is not there for this login. Use another --profile; if the survey is gone, delete its entry there, and apply creates a new one.`,
      { cause: error },
    );
  }
}

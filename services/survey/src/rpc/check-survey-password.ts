import { isId } from "@canvass/values";
import type { CheckSurveyPasswordRequest } from "@canvass/proto/survey";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { verifyPassword } from "@canvass/access";
import { findPasswordHash } from "../storage/public-survey.ts";

/** A check takes about 16 MiB and tens of milliseconds of a thread, so only a few run at once, fair to workspaces. */
export async function checkSurveyPassword(
  { database, passwordChecks }: SurveyContext,
  { workspaceId, surveyId, password }: CheckSurveyPasswordRequest,
  { signal }: Call,
): Promise<{ matches: boolean }> {
  const hash = isId(surveyId) ? await findPasswordHash(database.sql, { workspaceId, surveyId }) : undefined;
  if (hash === undefined) return { matches: false };
  return { matches: await passwordChecks.run(workspaceId, signal, () => verifyPassword(password, hash)) };
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { inTransaction } from "@canvass/postgres";
import type { HoldUnansweredSurveyRequest, HoldUnansweredSurveyResponseSchema } from "@canvass/proto/response";
import { holdMs } from "@canvass/service";
import { surveyFromMessage } from "../application/collecting/states-from-messages.ts";
import type { ResponseContext } from "../context.ts";
import { lockCollecting, surveyLock } from "../storage/advisory-locks.ts";
import { holdSurvey, collectingSurveyStatement } from "../storage/collecting/collecting-surveys.ts";
import { hasAnswers } from "../storage/results/results.ts";

/** Waits for submissions in progress. Refuses later ones for `holdMs` if the survey has no answers. */
export async function holdUnansweredSurvey(
  { database, limitWrites }: ResponseContext,
  { workspaceId, surveyId, collection }: HoldUnansweredSurveyRequest,
): Promise<MessageInitShape<typeof HoldUnansweredSurveyResponseSchema>> {
  if (!collection?.found) throw new AppError("invalid_request", { collection: ["must be there"] });
  const survey = surveyFromMessage({ workspaceId, surveyId }, collection);
  return limitWrites(() =>
    inTransaction(database.pool, async (sql) => {
      await lockCollecting(sql, [surveyLock(survey)]);
      if (await hasAnswers(sql, survey)) return { hasResponses: true };
      const { text, params } = collectingSurveyStatement(survey);
      await sql.query(text, params);
      await holdSurvey(sql, survey, holdMs);
      return { hasResponses: false };
    }),
  );
}

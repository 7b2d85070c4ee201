import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { findReplay } from "@canvass/postgres/rpc";
import { ValidateDraftResponseSchema, type ValidateDraftRequest } from "@canvass/proto/survey-drafts";
import { checkingDefinition, translationWarnings } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { draftLimits } from "../domain/draft-limits.ts";
import { surveyTranslationStatus } from "../domain/survey-translation-status.ts";
import { readTranslatedSnapshot } from "./translated-snapshot.ts";
import { write } from "./write.ts";

/** Limit on the issues, and on the warnings, of a response. */
export const mostIssues = 1_000;

/** Lists what prevents publishing the draft (contract 6.10). Stores the response only for a call with a key. */
export async function validateDraft(
  context: SurveyContext,
  { surveyId }: ValidateDraftRequest,
  call: Call,
): Promise<MessageInitShape<typeof ValidateDraftResponseSchema>> {
  const replay = await findReplay(context.database.sql, call, ValidateDraftResponseSchema, context.now());
  if (replay) return replay;
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  const { survey, translated } = await readTranslatedSnapshot(context, ref);
  const limits = draftLimits(context, survey);
  const issues = await runInSlices(checkingDefinition(translated.definition, limits));
  const statuses = await runInSlices(surveyTranslationStatus(survey, translated, mostIssues));
  const warnings = translationWarnings(statuses).slice(0, mostIssues);
  const answer = { issues: issues.slice(0, mostIssues), valid: issues.length === 0, warnings };
  return write(context, call, ValidateDraftResponseSchema, async () => answer);
}

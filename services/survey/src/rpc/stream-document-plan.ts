import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { inTransaction } from "@canvass/postgres";
import type { StreamDocumentPlanRequest, StreamDocumentPlanResponseSchema } from "@canvass/proto/survey-documents";
import { applySettingsPatch, checkingDefinition, type SurveySettingsPatch } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { draftLimits } from "../domain/draft-limits.ts";
import { documentDifferences } from "../domain/document-differences.ts";
import { documentShapeViolations, parsingDocument } from "../domain/read-survey-document.ts";
import { changeChunks } from "./change-chunks.ts";
import { changesOf, questionIdsOfBoth, readFormerQuestions, worstClass } from "./draft-changes.ts";
import { findFormerContent } from "./find-former-content.ts";
import { Overtaken, retryIfOvertaken } from "./overtaken.ts";
import { readReplacement } from "./read-replacement.ts";
import { requireSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { surveyTag } from "./survey-message.ts";
import { readTranslated } from "./translated-snapshot.ts";
import { mostIssues } from "./validate-draft.ts";

/** Streams what replacing a survey by a document would write, and what publishing would then change (contract 6.14). */
export async function* streamDocumentPlan(
  context: SurveyContext,
  { surveyId, bodyJson }: StreamDocumentPlanRequest,
  call: Call,
): AsyncGenerator<MessageInitShape<typeof StreamDocumentPlanResponseSchema>> {
  const ref = { workspaceId: call.caller.workspaceId, surveyId };
  const document = await runInSlices(parsingDocument(bodyJson));
  const { survey, translated, read, former } = await retryIfOvertaken(async () => {
    const found = await findFormerContent(context, ref, document);
    const plan = inTransaction(
      context.database.pool,
      async (sql) => {
        const shape = () => runInSlices(documentShapeViolations(document));
        const present = await validateShapeOnFailure(shape, () => requireSurvey(sql, ref));
        if (present.revision !== found?.revision) throw new Overtaken();
        const stored = await readTranslated(sql, present);
        const { definition: draft, translations } = stored;
        const reading = { document, draft, translations, former: found };
        const replaced = await readReplacement(sql, present, reading, context.now(), call);
        return { survey: present, translated: stored, read: replaced, former: found };
      },
      { isolation: "repeatable read" },
    );
    return await plan;
  });
  const writes = documentDifferences(survey, translated, read);
  const base = survey.publishedVersionId === null ? undefined : former.published;
  const compared = new Set(base && questionIdsOfBoth(base, read.definition));
  const answered = new Map([...former.answered].filter(([questionId]) => compared.has(questionId)));
  const returning = await readFormerQuestions(context.database.sql, survey, base, read.definition);
  const changes = await changesOf(base, read.definition, returning, answered);
  const settings = applySettingsPatch(JSON.parse(survey.settingsJson) as SurveySettingsPatch, read.settings.settings);
  const limits = draftLimits(context, { language: read.fields.language, settingsJson: JSON.stringify(settings) });
  const issues = (await runInSlices(checkingDefinition(read.definition, limits))).slice(0, mostIssues);
  const { publishedVersion: baseVersion } = survey;
  yield { plan: { writes, issues, baseVersion, class: worstClass(changes), etag: surveyTag(survey) } };
  yield* changeChunks(changes);
}

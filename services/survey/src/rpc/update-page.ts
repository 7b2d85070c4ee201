import type { MessageInitShape } from "@bufbuild/protobuf";
import { changedParts } from "@canvass/events";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { readObject, refuseViolations, requireUpdates, validationFailed } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { UpdatePageResponseSchema, type UpdatePageRequest } from "@canvass/proto/survey-elements";
import { pagePatchViolations, patchPage, patchPageBody, type Page, type SurveyDefinition } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { weighPage } from "../domain/outline-weight.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { askedByPage, readOutline, type Outline } from "../storage/outline.ts";
import { saveStructure } from "../storage/save-structure.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpOldDraft } from "./back-up-draft.ts";
import { pageOf, toPageMessage } from "./page-message.ts";
import { auditedPage, appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { write } from "./write.ts";

/** Changes title, loop, order and logic of a page, and validates the logic (contract 6.9, 6.23). */
export function updatePage(
  context: SurveyContext,
  { surveyId, pageId, bodyJson }: UpdatePageRequest,
  call: Call,
): Promise<MessageInitShape<typeof UpdatePageResponseSchema>> {
  const { workspaceId } = call.caller;
  return write(context, call, UpdatePageResponseSchema, async (sql) => {
    const patch = readObject(bodyJson);
    requireUpdates(patchPageBody, patch);
    const shape = pagePatchViolations(patch);
    const { survey, outline } = await validateShapeOnFailure(
      () => shape,
      () => requirePage(sql, { workspaceId, surveyId, pageId }, shape.length === 0 ? patch : {}),
    );
    const { definition } = outline;
    const outcome = await runInSlices(patchPage(definition, pageId, patch));
    if ("violations" in outcome) throw validationFailed(outcome.violations);
    const [before, page] = [definition, outcome.definition].map((each) => namedPage(each, pageId));
    refuseViolations(await runInSlices(weighPage(outline, page!)));
    const now = context.now();
    await backUpOldDraft(sql, survey, call, now);
    await saveStructure(sql, survey, definition, outcome.definition);
    await saveSurvey(sql, survey, { draftChanged: true }, now);
    const [was, is] = changedParts(auditedPage(surveyId, before!), auditedPage(surveyId, page!));
    await appendAuditEvent(sql, call, { at: now, action: "page.updated", resourceId: pageId, before: was, after: is });
    await enforceStorageQuota(sql, survey, call);
    return { page: toPageMessage(surveyId, pageOf(outcome.definition, pageId)) };
  });
}

/** `patch` must be empty or have a valid shape. */
async function requirePage(
  sql: Sql,
  { pageId, ...ref }: { workspaceId: string; surveyId: string; pageId: string },
  patch: Partial<Page>,
): Promise<{ survey: SurveyRecord; outline: Outline }> {
  const survey = await requireLockedSurvey(sql, ref);
  const outline = await readOutline(
    sql,
    survey,
    askedByPage({
      loop: patch.loop ?? null,
      skipLogic: patch.skipLogic ?? [],
      ...(patch.showIf && { showIf: patch.showIf }),
    }),
  );
  if (!namedPage(outline.definition, pageId)) throw new AppError("page_not_found");
  return { survey, outline };
}

const namedPage = ({ pages }: SurveyDefinition, pageId: string) => pages.find((page) => page.pageId === pageId);

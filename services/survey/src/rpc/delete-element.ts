import type { MessageInitShape } from "@bufbuild/protobuf";
import { validationFailed } from "@canvass/inputs";
import { DeleteElementResponseSchema, type DeleteElementRequest } from "@canvass/proto/survey-elements";
import { removeElement } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { deleteElement as deleteRow, insertRetiredElement } from "../storage/element-records.ts";
import { readOutline } from "../storage/outline.ts";
import { saveStructure } from "../storage/save-structure.ts";
import { findElementsWhoseTranslationsName } from "../storage/translations.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { auditedQuestion, auditedRemoval, appendAuditEvent } from "./append-audit-event.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { writeElement } from "./write-element.ts";

/** Removes an element, and the rules that refer to it (contract 6.11). Retires it if it has answers. */
export async function deleteElement(
  context: SurveyContext,
  { elementId, ifMatch }: DeleteElementRequest,
  call: Call,
): Promise<MessageInitShape<typeof DeleteElementResponseSchema>> {
  const target = { elementId, ifMatch, shapeViolations: [] };
  return writeElement(context, call, DeleteElementResponseSchema, target, async (sql, { survey, element, answers }) => {
    const { responses } = answers;
    const naming = await findElementsWhoseTranslationsName(sql, survey, elementId);
    const { definition } = await readOutline(sql, survey, naming);
    const removal = removeElement(definition, elementId);
    if ("violations" in removal) throw validationFailed(removal.violations);
    const now = context.now();
    const retired = responses > 0n;
    if (retired) await insertRetiredElement(sql, element, now);
    await deleteRow(sql, element);
    await saveStructure(sql, survey, definition, removal.definition);
    await saveSurvey(sql, survey, { questionCount: survey.questionCount - 1, draftChanged: true }, now);
    await appendAuditEvent(sql, call, {
      at: now,
      action: retired ? "element.retired" : "element.deleted",
      resourceId: elementId,
      before: { surveyId: element.surveyId, pageId: element.pageId, ...auditedQuestion(element.question) },
      after: { responses: Number(responses), removedRules: auditedRemoval(removal.cleaned) },
    });
    await enforceStorageQuota(sql, survey, call);
    return { retired, responses };
  });
}

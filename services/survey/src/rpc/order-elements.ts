import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import { readObject, shapeViolations, validationFailed } from "@canvass/inputs";
import { OrderElementsResponseSchema, type OrderElementsRequest } from "@canvass/proto/survey-elements";
import { orderElements as ordered, orderElementsBody } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import type { Static } from "typebox";
import { readOutline } from "../storage/outline.ts";
import { saveStructure } from "../storage/save-structure.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { backUpOldDraft } from "./back-up-draft.ts";
import { pageOf, toPageMessage } from "./page-message.ts";
import { appendAuditEvent } from "./append-audit-event.ts";
import { requireLockedSurvey, validateShapeOnFailure } from "./require-survey.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { write } from "./write.ts";

/** Orders the elements of a page, and moves elements of other pages that the list names to it (contract 6.12). */
export function orderElements(
  context: SurveyContext,
  { surveyId, bodyJson }: OrderElementsRequest,
  call: Call,
): Promise<MessageInitShape<typeof OrderElementsResponseSchema>> {
  const { workspaceId } = call.caller;
  return write(context, call, OrderElementsResponseSchema, async (sql) => {
    const body = readObject(bodyJson);
    const find = () => requireLockedSurvey(sql, { workspaceId, surveyId });
    const survey = await validateShapeOnFailure(() => shapeViolations(orderElementsBody, body), find);
    const { definition } = await readOutline(sql, survey, []);
    const outcome = await runInSlices(ordered(definition, body));
    if ("violations" in outcome) throw validationFailed(outcome.violations);
    const { pageId, elementIds } = body as Static<typeof orderElementsBody>;
    const now = context.now();
    await backUpOldDraft(sql, survey, call, now);
    await saveStructure(sql, survey, definition, outcome.definition);
    await saveSurvey(sql, survey, { draftChanged: true }, now);
    const page = pageOf(outcome.definition, pageId);
    await appendAuditEvent(sql, call, {
      at: now,
      action: "survey.elements_ordered",
      resourceId: surveyId,
      before: { pageId, elementIds: pageOf(definition, pageId).elementIds },
      after: { pageId, elementIds },
    });
    await enforceStorageQuota(sql, survey, call);
    return { page: toPageMessage(surveyId, page) };
  });
}

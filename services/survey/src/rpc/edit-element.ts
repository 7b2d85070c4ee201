import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { readObject, refuseViolations, requireUpdates, validationFailed } from "@canvass/inputs";
import { newId } from "@canvass/values";
import { EditElementResponseSchema, type EditElementRequest } from "@canvass/proto/survey-elements";
import {
  conditionResolver,
  editElement as edited,
  elementEditViolations,
  elementEdits,
  findElement,
  mapTemplates,
  nameResolver,
  readName,
  replaceQuestion,
  resolveConditions,
  withContinuedTexts,
  violationsOfEdit,
  sentTextPath,
  type EditOutcome,
  type ElementEditName,
} from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { weighQuestion } from "../domain/outline-weight.ts";
import { findTakenNameKeys } from "../storage/element-names.ts";
import { saveElement } from "../storage/element-records.ts";
import { askedByElement, readOutline } from "../storage/outline.ts";
import { saveStructure } from "../storage/save-structure.ts";
import { saveSurvey } from "../storage/write-survey.ts";
import { toElementMessage } from "./element-message.ts";
import { auditedEdit, appendAuditEvent } from "./append-audit-event.ts";
import { enforceStorageQuota } from "./enforce-storage-quota.ts";
import { writeElement } from "./write-element.ts";

/** Applies one of `elementEdits` to the draft (contract 6.8), and removes rules that compare with removed entries. */
export async function editElement(
  context: SurveyContext,
  { elementId, ifMatch, edit, bodyJson }: EditElementRequest,
  call: Call,
): Promise<MessageInitShape<typeof EditElementResponseSchema>> {
  const input = readObject(bodyJson);
  const name = editNamed(edit);
  requireUpdates(elementEdits[name].input, input);
  const target = { elementId, ifMatch, shapeViolations: elementEditViolations(name, input) };
  return writeElement(context, call, EditElementResponseSchema, target, async (sql, { survey, element, answers }) => {
    const now = context.now();
    const isAnswered = (id: string) => (answers.byEntry[id] ?? 0n) > 0n;
    const newName = name === "settings" ? readName(input["name"]) : undefined;
    const takenNames = await findTakenNameKeys(sql, survey, newName === undefined ? [] : [newName], elementId);
    const outcome = edited(name, element.question, input, { newId: () => newId(now), isAnswered, takenNames });
    const { question: named, addedIds, retiredIds, removedIds } = requireEdited(outcome);
    const outline = await readOutline(sql, survey, [elementId, ...askedByElement(named.logic)]);
    const withIds = resolveConditions(named, conditionResolver(outline.definition));
    const resolved = mapTemplates(withIds, nameResolver(outline.definition));
    const question = withContinuedTexts(element.question, resolved);
    const after = await runInSlices(replaceQuestion(outline.definition, question, (path) => sentTextPath(name, path)));
    const overweight = await runInSlices(weighQuestion(outline, question));
    if ("violations" in after)
      throw validationFailed([...violationsOfEdit(name, after.violations, input), ...overweight]);
    refuseViolations(overweight);
    // Without the element's own conditions that the edit made invalid.
    const kept = findElement(after.definition, elementId)!.written;
    const saved = await saveElement(sql, element, kept, now);
    await saveStructure(sql, survey, outline.definition, after.definition, elementId);
    await saveSurvey(sql, survey, { draftChanged: true }, now);
    const change = { at: now, action: "element.updated", resourceId: elementId } as const;
    await appendAuditEvent(sql, call, { ...change, ...auditedEdit(element.question, kept, after.cleaned) });
    await enforceStorageQuota(sql, survey, call);
    const responses = retiredIds.map((id) => [id, answers.byEntry[id] ?? 0n]);
    return {
      element: toElementMessage(saved, answers),
      addedIds,
      retiredIds,
      removedIds,
      retiredResponses: Object.fromEntries(responses),
    };
  });
}

/** A gateway of another version may send an edit that this version does not have. */
function editNamed(name: string): ElementEditName {
  if (!Object.hasOwn(elementEdits, name)) throw new AppError("service_unavailable");
  return name as ElementEditName;
}

function requireEdited(outcome: EditOutcome) {
  if ("missing" in outcome) throw new AppError("choice_not_found");
  if ("violations" in outcome) throw validationFailed(outcome.violations);
  return outcome;
}

import type { Question, SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { newLogicFaults } from "./logic-faults.ts";
import type { StructureEdit } from "./order-elements.ts";

/**
 * The definition with an edited question in its place. Refused when logic needs what the edit takes away: several
 * answers to repeat a page for, or a choice a rule compares with. Throws when there is no such element. May be interrupted.
 */
export function* replaceQuestion(definition: SurveyDefinition, question: Question): Generator<void, StructureEdit> {
  const place = findElement(definition, question.elementId);
  if (!place) throw new Error(`There is no element ${question.elementId}.`);
  const elements = place.page.elements.map((old) => (old === place.question ? question : old));
  const after = { pages: definition.pages.with(place.pageIndex, { ...place.page, elements }) };
  const faults = yield* newLogicFaults(definition, after);
  return faults.length > 0 ? { faults } : { definition: after };
}

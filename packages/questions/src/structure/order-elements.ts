import { checkShape, type Fault } from "@canvass/inputs";
import { Type } from "typebox";
import type { Page, SurveyDefinition } from "../definition.ts";
import { findElement, indexOf } from "../definition-index.ts";
import { namedOnce } from "../named-once.ts";
import { newLogicFaults } from "./logic-faults.ts";

/** The body of `PUT /surveys/{id}/elements/order`: all elements the page is to have, in order. */
export const elementOrderSchema = Type.Object(
  { pageId: Type.String(), elementIds: Type.Array(Type.String(), { minItems: 1, maxItems: 1_000 }) },
  { additionalProperties: false },
);

export type StructureEdit = { definition: SurveyDefinition } | { faults: Fault[] };

/**
 * Puts the elements of a page in order. Elements of other pages that are named move here; those of the page must all be
 * named. A move that leaves logic without its question, or before it, is refused.
 */
export function orderElements(definition: SurveyDefinition, body: unknown): StructureEdit {
  const faults: Fault[] = [];
  checkShape(elementOrderSchema, body, "", faults);
  if (faults.length > 0) return { faults };
  const { pageId, elementIds } = body as { pageId: string; elementIds: string[] };
  const page = definition.pages[indexOf(definition).pageIndexes.get(pageId) ?? -1];
  if (!page) faults.push({ path: "pageId", message: "is not one of the survey's pages" });
  namedOnce(
    elementIds,
    (id) => findElement(definition, id) !== undefined,
    "an element of this survey",
    "elementIds",
    faults,
  );
  if (page) faults.push(...leftOut(page, elementIds));
  if (faults.length > 0) return { faults };
  const after = { pages: definition.pages.map((page) => reordered(definition, page, pageId, elementIds)) };
  const broken = newLogicFaults(definition, after);
  return broken.length > 0 ? { faults: broken } : { definition: after };
}

const mostNamed = 20;

function leftOut({ elements }: Page, elementIds: readonly string[]): Fault[] {
  const named = new Set(elementIds);
  const missing = elements.filter(({ elementId }) => !named.has(elementId)).map(({ elementId }) => elementId);
  if (missing.length === 0) return [];
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : "";
  return [
    {
      path: "elementIds",
      message: `must name every element of the page; missing are ${missing.slice(0, mostNamed).join(", ")}${more}`,
    },
  ];
}

/** The page itself when nothing of it moves, so that a caller sees what there is to store. */
function reordered(definition: SurveyDefinition, page: Page, pageId: string, elementIds: readonly string[]): Page {
  if (page.pageId === pageId) {
    const isSame =
      elementIds.length === page.elements.length && elementIds.every((id, at) => page.elements[at]!.elementId === id);
    return isSame ? page : { ...page, elements: elementIds.map((id) => findElement(definition, id)!.question) };
  }
  const named = new Set(elementIds);
  const elements = page.elements.filter(({ elementId }) => !named.has(elementId));
  return elements.length === page.elements.length ? page : { ...page, elements };
}

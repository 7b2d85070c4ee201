import { checkShape, type Violation, closed, lookupId } from "@canvass/inputs";
import { Type } from "typebox";
import type { Page, Question, SurveyDefinition } from "../definition.ts";
import { findElement, indexOf } from "../definition-index.ts";
import { checkUniqueIds } from "../check-unique-ids.ts";
import { newLogicViolations } from "./logic-violations.ts";

/** All elements of the page, and elements to move to it, in the new order. */
export const orderElementsBody = closed({
  pageId: lookupId("a page", "the page"),
  elementIds: Type.Array(lookupId("an element", "an element of the survey"), { minItems: 1, maxItems: 1_000 }),
});

export type StructureEditResult = { definition: SurveyDefinition } | { violations: Violation[] };

/** Orders the elements of a page. Returns violations if a move would break logic or a placeholder. Yields per page. */
export function* orderElements(definition: SurveyDefinition, body: unknown): Generator<void, StructureEditResult> {
  const violations: Violation[] = [];
  checkShape(orderElementsBody, body, "", violations);
  if (violations.length > 0) return { violations };
  const { pageId, elementIds } = body as { pageId: string; elementIds: string[] };
  const page = definition.pages[indexOf(definition).pageIndexes.get(pageId) ?? -1];
  if (!page) violations.push({ path: "pageId", message: "is not one of the survey's pages" });
  checkUniqueIds(
    elementIds,
    (id) => findElement(definition, id) !== undefined,
    "an element of this survey",
    "elementIds",
    violations,
  );
  if (page) violations.push(...leftOut(page, elementIds));
  if (violations.length > 0) return { violations };
  const ordered = elementIds.map((id) => findElement(definition, id)!.written);
  const named = new Set(elementIds);
  const after = {
    ...definition,
    pages: definition.pages.map((each) => withElements(each, each === page ? ordered : unnamed(each, named))),
  };
  const broken = yield* newLogicViolations(definition, after);
  return broken.length > 0 ? { violations: broken } : { definition: after };
}

const mostNamed = 20;

function leftOut({ elements }: Page, elementIds: readonly string[]): Violation[] {
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

function unnamed({ elements }: Page, named: ReadonlySet<string>): Question[] {
  return elements.filter(({ elementId }) => !named.has(elementId));
}

/** Returns the same object if nothing changes, so that callers store only changed pages. */
function withElements(page: Page, elements: Question[]): Page {
  const isSame =
    elements.length === page.elements.length && elements.every((element, at) => page.elements[at] === element);
  return isSame ? page : { ...page, elements };
}

import type { Sql } from "@canvass/postgres";
import type { Page, SurveyDefinition } from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Raises the revision of a moved element too, because readers see its `pageId` and `sortOrder`. */
const PLACE = `UPDATE elements e SET page_id = p.page_id, sort_order = p.sort_order, revision = e.revision + 1
FROM unnest($2::text[], $3::text[], $4::int4[]) AS p (element_id, page_id, sort_order)
WHERE e.workspace_id = $1 AND e.element_id = p.element_id`;

const PAGE = `UPDATE pages SET title = $3, loop = $4, skip_logic = $5, shuffle = $6, translations = $7
WHERE workspace_id = $1 AND page_id = $2`;

/** Stores the pages and positions that an edit changed. Removed elements must be deleted already. */
export async function saveStructure(
  sql: Sql,
  { workspaceId }: SurveyRef,
  before: SurveyDefinition,
  after: SurveyDefinition,
): Promise<void> {
  const known = new Map(before.pages.map((page) => [page.pageId, page]));
  for (const page of after.pages) {
    if (isSame(page, known.get(page.pageId)!)) continue;
    const { pageId, title, loop, skipLogic, shuffle = false, translations } = page;
    const content = [title, loop && JSON.stringify(loop), JSON.stringify(skipLogic), shuffle];
    await sql.query(PAGE, [workspaceId, pageId, ...content, translations ? JSON.stringify(translations) : null]);
  }
  const old = new Map(placesOf(before).map((place) => [place.elementId, place]));
  const moved = placesOf(after).filter((place) => !isAt(place, old.get(place.elementId)!));
  if (moved.length === 0) return;
  const columns = [moved.map((each) => each.elementId), moved.map((each) => each.pageId), moved.map((each) => each.at)];
  await sql.query(PLACE, [workspaceId, ...columns]);
}

interface Place {
  elementId: string;
  pageId: string;
  /** From 1, within the page. */
  at: number;
}

function placesOf({ pages }: SurveyDefinition): Place[] {
  return pages.flatMap(({ pageId, elements }) =>
    elements.map(({ elementId }, index) => ({ elementId, pageId, at: index + 1 })),
  );
}

const isAt = (place: Place, old: Place): boolean => place.pageId === old.pageId && place.at === old.at;

/** Compares by identity: edits reuse the parts that they do not change. */
function isSame(page: Page, old: Page): boolean {
  const isSameText = page.title === old.title && page.translations === old.translations;
  return isSameText && page.loop === old.loop && page.shuffle === old.shuffle && sameRules(page, old);
}

function sameRules({ skipLogic }: Page, old: Page): boolean {
  return (
    skipLogic === old.skipLogic ||
    (skipLogic.length === old.skipLogic.length && skipLogic.every((rule, index) => rule === old.skipLogic[index]))
  );
}

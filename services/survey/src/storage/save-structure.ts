import type { Sql } from "@canvass/postgres";
import { questionWeight, type Page, type Question, type SurveyDefinition } from "@canvass/questions";
import { isSameJson } from "@canvass/values";
import type { SurveyRef } from "../domain/survey-ref.ts";

/**
 * Raises the revision of a moved element too, because readers see its `pageId` and `sortOrder`; not of `$5`, which this
 * write has raised. So an element's revision never exceeds its survey's.
 */
const PLACE = `UPDATE elements e SET page_id = p.page_id, sort_order = p.sort_order,
  revision = e.revision + CASE WHEN e.element_id = ANY($5::text[]) THEN 0 ELSE 1 END
FROM unnest($2::text[], $3::text[], $4::int4[]) AS p (element_id, page_id, sort_order)
WHERE e.workspace_id = $1 AND e.element_id = p.element_id`;

const PAGE = `UPDATE pages SET title = $3, loop = $4, show_if = $5, skip_logic = $6, shuffle = $7, translations = $8, block = $9
WHERE workspace_id = $1 AND page_id = $2`;

/** Raises the revision, because readers see the texts. */
const TEXTS = `UPDATE elements SET question_text = $3, help_text = $4, type_settings = $5, choices = $6, rows = $7,
  columns = $8, translations = $9, logic = $10, bytes = bytes + $11, revision = revision + 1
WHERE workspace_id = $1 AND element_id = $2`;

/** Raises the revision, because readers see the logic. */
const LOGIC = `UPDATE elements SET logic = $3, bytes = bytes + $4, revision = revision + 1
WHERE workspace_id = $1 AND element_id = $2`;

/**
 * Stores the pages, positions, texts and logic that an edit changed. `saveElement` stores texts and logic of the edited
 * element. Removed elements must be deleted already.
 */
export async function saveStructure(
  sql: Sql,
  { workspaceId }: SurveyRef,
  before: SurveyDefinition,
  after: SurveyDefinition,
  editedElementId?: string,
): Promise<void> {
  const known = new Map(before.pages.map((page) => [page.pageId, page]));
  for (const page of after.pages) {
    if (isSame(page, known.get(page.pageId)!)) continue;
    const { pageId, title, loop, showIf, skipLogic, shuffle = false, block = null, translations } = page;
    const logic = [json(loop), json(showIf), json(skipLogic)];
    await sql.query(PAGE, [workspaceId, pageId, title, ...logic, shuffle, json(translations), block]);
  }
  const raised: string[] = [];
  const former = new Map(before.pages.flatMap(({ elements }) => elements.map((each) => [each.elementId, each])));
  for (const question of after.pages.flatMap(({ elements }) => elements)) {
    const { elementId, logic } = question;
    const was = former.get(elementId)!;
    if (elementId === editedElementId || question === was) continue;
    const added = questionWeight(question).bytes - questionWeight(was).bytes;
    if (isReworded(question, was)) {
      const { text, helpText, typeSettings, choices, rows, columns, translations } = question;
      const content = [text, helpText, ...[typeSettings, choices, rows, columns, translations].map(json)];
      await sql.query(TEXTS, [workspaceId, elementId, ...content, json(logic), added]);
    } else if (logic !== was.logic) await sql.query(LOGIC, [workspaceId, elementId, json(logic), added]);
    else continue;
    raised.push(elementId);
  }
  const old = new Map(placesOf(before).map((place) => [place.elementId, place]));
  const moved = placesOf(after).filter((place) => !isAt(place, old.get(place.elementId)!));
  if (moved.length === 0) return;
  const columns = [moved.map((each) => each.elementId), moved.map((each) => each.pageId), moved.map((each) => each.at)];
  await sql.query(PLACE, [workspaceId, ...columns, raised]);
}

function withoutLogic(question: Question) {
  const { logic: _, ...content } = question;
  return content;
}

const isReworded = (question: Question, was: Question): boolean =>
  !isSameJson(withoutLogic(question), withoutLogic(was));

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

const json = (value: unknown): string | null => (value ? JSON.stringify(value) : null);

/** Compares by identity: edits reuse the parts that they do not change. */
function isSame(page: Page, old: Page): boolean {
  const fields = ["title", "loop", "showIf", "shuffle", "block", "translations"] as const;
  return fields.every((field) => page[field] === old[field]) && sameRules(page, old);
}

function sameRules({ skipLogic }: Page, old: Page): boolean {
  return (
    skipLogic === old.skipLogic ||
    (skipLogic.length === old.skipLogic.length && skipLogic.every((rule, index) => rule === old.skipLogic[index]))
  );
}

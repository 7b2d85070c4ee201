import type { Sql } from "@canvass/postgres";
import { questionWeight, type Question, type SurveyDefinition } from "@canvass/questions";
import { isSameJson } from "@canvass/values";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { isSamePage, UPDATE_PAGES, withoutElements } from "./page-columns.ts";
import { QUESTION_NAMES, QUESTION_RECORD, QUESTION_VALUES } from "./question-columns.ts";

/**
 * Raises the revision of a moved element too, because readers see its `pageId` and `sortOrder`; not of `$5`, which this
 * write has raised. So an element's revision never exceeds its survey's.
 */
const PLACE = `UPDATE elements e SET page_id = p.page_id, sort_order = p.sort_order,
  revision = e.revision + CASE WHEN e.element_id = ANY($5::text[]) THEN 0 ELSE 1 END
FROM unnest($2::text[], $3::text[], $4::int4[]) AS p (element_id, page_id, sort_order)
WHERE e.workspace_id = $1 AND e.element_id = p.element_id`;

/** Raises the revision, because readers see the texts. */
const TEXTS = `UPDATE elements e SET (${QUESTION_NAMES}) = (${QUESTION_VALUES}), bytes = e.bytes + $3, revision = e.revision + 1
FROM jsonb_to_record($2::jsonb) AS r (${QUESTION_RECORD})
WHERE e.workspace_id = $1 AND e.element_id = r."elementId"`;

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
  const changed = after.pages.filter((page) => !isSamePage(page, known.get(page.pageId)!));
  if (changed.length > 0) await sql.query(UPDATE_PAGES, [workspaceId, JSON.stringify(changed.map(withoutElements))]);
  const raised: string[] = [];
  const former = new Map(before.pages.flatMap(({ elements }) => elements.map((each) => [each.elementId, each])));
  for (const question of after.pages.flatMap(({ elements }) => elements)) {
    const { elementId, logic } = question;
    const was = former.get(elementId)!;
    if (elementId === editedElementId || question === was) continue;
    const added = questionWeight(question).bytes - questionWeight(was).bytes;
    if (isReworded(question, was)) await sql.query(TEXTS, [workspaceId, JSON.stringify(question), added]);
    else if (logic !== was.logic) await sql.query(LOGIC, [workspaceId, elementId, json(logic), added]);
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

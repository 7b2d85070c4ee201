import type { Sql } from "@canvass/postgres";
import {
  askedElements,
  conditionsOf,
  nameKey,
  type ChoicesFrom,
  type ElementLogic,
  type Page,
  type Question,
  type SurveyDefinition,
  type Weight,
} from "@canvass/questions";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { readLists } from "./survey-lists.ts";
import { findPages } from "./draft.ts";
import { QUESTION_COLUMNS, toQuestion, type StoredQuestion } from "./question-columns.ts";

/**
 * All pages and elements in order, with names and logic. To limit the cost, only the given questions, those that logic
 * depends on and those with placeholders, a default answer or translated messages have content.
 */
export interface Outline {
  definition: SurveyDefinition;
  weights: ReadonlyMap<string, Weight>;
}

interface PlaceRow extends Weight {
  pageId: string;
  elementId: string;
  questionId: string;
  name: string | null;
  type: number;
  logic: ElementLogic | null;
  hasBraces: boolean;
  isTranslated: boolean;
}

const PLACES = `SELECT page_id AS "pageId", element_id AS "elementId", question_id AS "questionId", name, type, logic, cells, bytes,
  concat(question_text, help_text, type_settings, choices, rows, columns, logic) LIKE '%{{%' AS "hasBraces",
  translations IS NOT NULL AS "isTranslated"
FROM elements WHERE workspace_id = $1 AND survey_id = $2 ORDER BY page_id, sort_order`;

const CONTENTS = `SELECT ${QUESTION_COLUMNS}
FROM elements e WHERE workspace_id = $1 AND survey_id = $2 AND element_id = ANY($3::text[])`;

const atOnce = 50;

/** `named`: ids or names of elements. The transaction must have locked the survey. */
export async function readOutline(sql: Sql, survey: SurveyRef, named: readonly string[]): Promise<Outline> {
  const key = [survey.workspaceId, survey.surveyId];
  const pages = await findPages(sql, survey);
  const places = await sql.query<PlaceRow>(PLACES, key);
  const asked = new Set([
    ...named.map(nameKey),
    ...pages.flatMap(askedByPage),
    ...places.flatMap(({ logic }) => askedByElement(logic)),
  ]);
  const isAsked = ({ elementId, name }: PlaceRow) =>
    asked.has(elementId) || (name !== null && asked.has(nameKey(name)));
  // Whether a default is an answer depends on the choices and settings of its question.
  const hasDefault = ({ logic }: PlaceRow) => logic?.defaultValue !== undefined;
  // A constraint goes with the translations of its message.
  const hasMessages = ({ logic, isTranslated }: PlaceRow) => isTranslated && logic?.constraints !== undefined;
  const isWhole = (place: PlaceRow) => place.hasBraces || hasDefault(place) || hasMessages(place) || isAsked(place);
  const whole = places.filter(isWhole);
  const contents = await readContents(
    sql,
    survey,
    whole.map(({ elementId }) => elementId),
  );
  const lists = await readLists(sql, survey);
  const onPage = Map.groupBy(places, ({ pageId }) => pageId);
  const elementsOf = (pageId: string) =>
    (onPage.get(pageId) ?? []).map((place) => contents.get(place.elementId) ?? withoutContent(place));
  return {
    definition: { pages: pages.map((page) => ({ ...page, elements: elementsOf(page.pageId) })), ...lists },
    weights: new Map(places.map(({ elementId, cells, bytes }) => [elementId, { cells, bytes }])),
  };
}

/** Returns the ids, or names, of the elements that the logic of a page refers to. */
export function askedByPage({ loop, showIf, skipLogic }: Pick<Page, "loop" | "showIf" | "skipLogic">): string[] {
  const conditions = [...(showIf ? [showIf] : []), ...skipLogic.map(({ when }) => when)];
  return [...(loop ? [loop.elementId] : []), ...conditions.flatMap((condition) => [...askedElements(condition)])];
}

export function askedByElement(logic: ElementLogic | null | undefined): string[] {
  if (!logic) return [];
  const { choicesFrom } = logic;
  const asked = conditionsOf(logic).flatMap((condition) => [...askedElements(condition)]);
  return choicesFrom ? [...asked, nameOrId(choicesFrom)] : asked;
}

/** A name that a caller wrote is not resolved yet. */
const nameOrId = (from: ChoicesFrom | { name: string }): string => ("name" in from ? from.name : from.elementId);

async function readContents(
  sql: Sql,
  { workspaceId, surveyId }: SurveyRef,
  elementIds: readonly string[],
): Promise<Map<string, Question>> {
  const contents = new Map<string, Question>();
  for (let from = 0; from < elementIds.length; from += atOnce) {
    const portion = elementIds.slice(from, from + atOnce);
    for (const row of await sql.query<StoredQuestion>(CONTENTS, [workspaceId, surveyId, portion])) {
      contents.set(row.elementId, toQuestion(row));
    }
  }
  return contents;
}

function withoutContent({ elementId, questionId, name, type, logic }: PlaceRow): Question {
  const nothing = { text: null, helpText: null, typeSettings: {}, responseValidation: { required: false } };
  return { elementId, questionId, ...(name !== null && { name }), type, ...nothing, ...(logic && { logic }) };
}

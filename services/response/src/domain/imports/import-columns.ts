import type { Violation } from "@canvass/inputs";
import {
  answerKey,
  nameKey,
  questionTypeOf,
  type ExportColumn,
  type HiddenField,
  type Question,
  type QuestionType,
  type SurveyDefinition,
} from "@canvass/questions";
import { isBlank } from "@canvass/values";
import { createExportLayout, type HeadedColumn } from "../exports/export-layout.ts";
import { mergeFields } from "../exports/field-columns.ts";
import { createQuestionMerger } from "../exports/merged-questions.ts";
import { headingIndex } from "./heading-index.ts";

/** The columns of one question, or of its repetition for an item. */
export interface AnswerGroup {
  answerKey: string;
  question: Question;
  type: QuestionType;
  /** As `exportColumns` orders them. */
  columns: readonly ExportColumn[];
  /** Stands for the whole question in violations. */
  name: string;
  /** The name of its first column. */
  firstColumn: string;
}

const respondentParts = ["externalId", "status", "startedAt", "completedAt", "language", "metadata"] as const;
export type RespondentPart = (typeof respondentParts)[number];

type Places = ReadonlyMap<HeadedColumn, { group: AnswerGroup; index: number }>;

export type ImportColumn = { heading: string } & (
  | { kind: "respondent"; part: RespondentPart }
  | { kind: "field"; field: HiddenField }
  | { kind: "answer"; group: AnswerGroup; index: number }
  | { kind: "nameless" | "left_out" }
  /** `parts`: the groups of the question that the heading names, each of whose columns has another heading. */
  | { kind: "unknown"; parts: readonly AnswerGroup[] }
);

/** The character that decoders write for invalid bytes. */
export const replacementCharacter = "\uFFFD";
const longestShown = 100;
const ofContact = /^contact(?:[._]|: )/i;

/** Identifies the columns of a file by the headings that exports of this version have (contract 7.14). */
export function findColumns(headings: readonly string[], definition: SurveyDefinition): ImportColumn[] {
  const merger = createQuestionMerger();
  merger.add(definition);
  const questions = merger.questions();
  const layout = createExportLayout(questions, layoutOptions, layoutForm, { hidden: mergeFields([], definition) });
  const find = headingIndex(layout.columns);
  const places = placesOf(layout.columns, definition);
  const parts = partsIndex(places);
  const known = headings.map((heading) => columnOf(heading, find(heading), { places, parts }, definition));
  const hasExternalId = known.some((column) => column.kind === "respondent" && column.part === "externalId");
  return known.map((column, index) => {
    // The respondent's id in the system that the file comes from.
    const isFormerId = find(headings[index]!)?.id === "respondentId" && !hasExternalId;
    return isFormerId ? { kind: "respondent", part: "externalId", heading: column.heading } : column;
  });
}

const layoutOptions = {
  format: "csv",
  labels: "labels",
  bom: false,
  includePartial: true,
  includeTest: true,
  from: null,
  to: null,
  elementIds: null,
  distributorIds: null,
  timeZone: "UTC",
} as const;
const layoutForm = { values: "written", times: "text", lists: "joined" } as const;

function columnOf(
  given: string,
  found: HeadedColumn | undefined,
  { places, parts }: { places: Places; parts: (heading: string) => readonly AnswerGroup[] },
  { fields = [] }: SurveyDefinition,
): ImportColumn {
  const heading = given.trim().slice(0, longestShown);
  if (isBlank(given)) return { kind: "nameless", heading };
  const place = found && places.get(found);
  if (place) return place.group.type.fileIds ? { kind: "left_out", heading } : { kind: "answer", ...place, heading };
  const field = fields.find(
    ({ name }) => found?.id === `field.${name}` || nameKey(`field.${name}`) === nameKey(given.trim()),
  );
  if (field) return { kind: "field", field, heading };
  const part = respondentParts.find((name) => found?.id === name || (!found && isSpelling(given, name)));
  if (part) return { kind: "respondent", part, heading };
  if (found || ofContact.test(given)) return { kind: "left_out", heading };
  return { kind: "unknown", heading, parts: parts(given.trim()) };
}

/** Finds the groups of a question by its name in any case, or by its text; none for a question of files. */
function partsIndex(places: Places): (heading: string) => readonly AnswerGroup[] {
  // Files are left out however they are headed.
  const groups = [...new Set([...places.values()].map(({ group }) => group))].filter(({ type }) => !type.fileIds);
  const byName = Map.groupBy(groups, ({ question }) => nameKey(question.name ?? ""));
  const byText = Map.groupBy(groups, ({ columns }) => columns[0]?.part?.question.text ?? "");
  return (heading) => byName.get(nameKey(heading)) ?? byText.get(heading) ?? [];
}

const isSpelling = (heading: string, name: string): boolean =>
  heading.toLowerCase().replaceAll(/[\s_-]/g, "") === name.toLowerCase();

function placesOf(columns: readonly HeadedColumn[], { pages }: SurveyDefinition): Places {
  // The first element that shows a question has its answers.
  const shown = pages.flatMap(({ elements }) => elements).toReversed();
  const elements = new Map(shown.map((question) => [question.questionId, question]));
  const groups = Map.groupBy(columns, ({ id }) => id.split(".", 1)[0]!);
  return new Map(
    [...groups].flatMap(([owner, own]) => {
      const [questionId, itemId = null] = owner.split(":") as [string, string?];
      const question = elements.get(questionId);
      if (!question) return [];
      const key = answerKey(question.elementId, itemId);
      const group = {
        answerKey: key,
        question,
        type: questionTypeOf(question),
        columns: own as ExportColumn[],
        name: own[0]!.group,
        firstColumn: own[0]!.name,
      };
      return own.map((column, index) => [column, { group, index }] as const);
    }),
  );
}

/** Violations of a file's first line. */
export function headingViolations(columns: readonly ImportColumn[], skipUnknown: boolean): Violation[] {
  const seen = new Set<unknown>();
  const given = new Set(columns.map((column) => (column.kind === "answer" ? column.group : undefined)));
  const violations = columns.flatMap((column, index): Violation[] => {
    const { heading } = column;
    const at = (message: string) => [{ path: "body", message: `${message} (column ${index + 1})` }];
    if (heading.includes(replacementCharacter)) return at("must have headings that are text in the file's charset");
    if (column.kind === "unknown") {
      // Left out, it would lose the answers of a question that the survey has.
      const [part] = column.parts;
      if (part && !column.parts.some((group) => given.has(group)))
        return at(`must have a column for each part of ${heading}, such as ${part.firstColumn}`);
      if (!skipUnknown) return at(`has a heading that is no column of this survey: ${heading}`);
    }
    const target = targetOf(column);
    if (target === undefined) return [];
    if (seen.has(target)) return at(`must not have two columns for ${heading}`);
    seen.add(target);
    return [];
  });
  if (!columns.some(({ kind }) => kind === "answer")) {
    violations.push({ path: "body", message: "must have a column of a question" });
  }
  return violations;
}

function targetOf(column: ImportColumn): unknown {
  if (column.kind === "respondent") return column.part;
  if (column.kind === "field") return column.field;
  return column.kind === "answer" ? column.group.columns[column.index] : undefined;
}

/** Headings of columns that an import does not take. */
export function leftOutHeadings(columns: readonly ImportColumn[]): string[] {
  return columns.flatMap(({ kind, heading }) => (kind === "left_out" || kind === "unknown" ? [heading] : []));
}

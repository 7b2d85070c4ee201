import type { Violation } from "@canvass/inputs";
import {
  areRanks,
  readCells,
  readStartFields,
  type QuestionCell,
  type SubmittedAnswer,
  type SurveyDefinition,
  type RespondentContext,
} from "@canvass/questions";
import { isBlank, isJsonObject, isLanguageTag, isStorable, unstorableMessages, type JsonObject } from "@canvass/values";
import type { RespondentStatus } from "../respondents/respondent-state.ts";
import { replacementCharacter, type AnswerGroup, type ImportColumn, type RespondentPart } from "./import-columns.ts";
import { readCell, readNumber } from "./read-cell.ts";
import { readTimes, type RowTimes } from "./read-times.ts";

export interface RowInput {
  externalId: string | null;
  status: RespondentStatus;
  times: RowTimes;
  language: string;
  metadata: JsonObject;
  fields: RespondentContext["fields"];
  responses: SubmittedAnswer[];
  /** Keys of answers that cannot be read. */
  unread: ReadonlySet<string>;
}

export interface RowSource {
  definition: SurveyDefinition;
  isAnonymous: boolean;
  /** When the import was requested. */
  at: Date;
  timeZone: string;
}

/** In characters. */
const longest = { externalId: 200, metadata: 16_384 };
const statuses = new Map<string, RespondentStatus>([
  ["started", "started"],
  ["completed", "completed"],
  ["screened out", "screened_out"],
  ["screened_out", "screened_out"],
]);

/** Reads a row of a file. Paths of violations are headings. */
export function readRow(
  columns: readonly ImportColumn[],
  cells: readonly string[],
  source: RowSource,
): { input: RowInput; violations: Violation[] } {
  const violations: Violation[] = [];
  const texts = new Map<RespondentPart, string>();
  const headings = new Map<string, string>();
  const given: JsonObject = {};
  const answers = new Map<AnswerGroup, QuestionCell[]>();
  const unread = new Set<string>();
  for (const [index, text] of cells.entries()) {
    const column = columns[index];
    if (isBlank(text)) continue;
    const { heading = `column ${index + 1}`, kind = "nameless" } = column ?? {};
    const refuse = (message: string) => {
      violations.push({ path: heading, message });
      if (column?.kind === "answer") unread.add(column.group.answerKey);
    };
    if (kind === "nameless") refuse("has a value without a heading");
    else if (text.includes(replacementCharacter)) refuse("must be text in the file's charset: it contains U+FFFD");
    else if (column?.kind === "respondent") {
      texts.set(column.part, text.trim());
      headings.set(column.part, heading);
    } else if (column?.kind === "field") {
      const { name, type } = column.field;
      given[name] = type === "number" ? numberOr(text) : text;
      headings.set(`fields.${name}`, heading);
    } else if (column?.kind === "answer") {
      const read = readCell(column.group.columns[column.index]!, text);
      if ("violation" in read) refuse(read.violation);
      else cellsOf(answers, column.group)[column.index] = read.cell;
    }
  }
  const textOf = (part: RespondentPart) => texts.get(part) ?? null;
  const { times, violations: late } = readTimes(
    { startedAt: textOf("startedAt"), completedAt: textOf("completedAt") },
    source,
  );
  const fields = readStartFields(source.definition.fields ?? [], given, {
    isAnonymous: source.isAnonymous,
    isLink: false,
  });
  const own = [...late, ...fields.violations, ...partViolations(texts)];
  violations.push(...own.map(({ path, message }) => ({ path: headings.get(path) ?? path, message })));
  for (const [group, own] of answers) {
    const wrong = rankViolations(group, own);
    if (wrong.length > 0) unread.add(group.answerKey);
    violations.push(...wrong);
  }
  const input = {
    externalId: textOf("externalId"),
    status: statusOf(textOf("status"), columns, textOf("completedAt")),
    times,
    language: texts.get("language") ?? "",
    metadata: metadataOf(textOf("metadata")) ?? {},
    fields: fields.values,
    responses: [...answers].flatMap(([{ answerKey: elementId, columns: own }, row]) =>
      unread.has(elementId) ? [] : [{ elementId, value: readCells(own, row) }],
    ),
    unread,
  };
  return { input, violations };
}

/** As exports write it: its text, its id, or both. */
const statusNamed = (text: string) => statuses.get(text.toLowerCase().replace(/ \[[^\]]*\]$/, ""));

function cellsOf(answers: Map<AnswerGroup, QuestionCell[]>, group: AnswerGroup): QuestionCell[] {
  const known = answers.get(group);
  if (known) return known;
  const cells: QuestionCell[] = group.columns.map(() => null);
  answers.set(group, cells);
  return cells;
}

/** Text that is not a number is returned unchanged, and the field refuses it. */
const numberOr = (text: string): number | string => readNumber(text.trim()) ?? text;

function partViolations(texts: ReadonlyMap<RespondentPart, string>): Violation[] {
  const violations: Violation[] = [];
  const refuse = (path: RespondentPart, message: string) => violations.push({ path, message });
  const {
    externalId = "",
    status,
    language,
    metadata,
  } = Object.fromEntries(texts) as Partial<Record<RespondentPart, string>>;
  if (externalId.length > longest.externalId || !isStorable(externalId))
    refuse("externalId", `must be text of at most ${longest.externalId} characters`);
  if (status !== undefined && !statusNamed(status)) refuse("status", "must be Started, Completed or Screened out");
  if (language !== undefined && !isLanguageTag(language))
    refuse("language", "must be a language tag such as en or pt-BR");
  if (metadata !== undefined && !metadataOf(metadata))
    refuse("metadata", `must be a JSON object of at most ${longest.metadata / 1024} KiB`);
  return violations;
}

/** Without a status, a row is completed, unless the file has completion times and this row has none. */
function statusOf(
  status: string | null,
  columns: readonly ImportColumn[],
  completedAt: string | null,
): RespondentStatus {
  if (status !== null) return statusNamed(status) ?? "completed";
  const tellsCompletion = columns.some((column) => column.kind === "respondent" && column.part === "completedAt");
  return tellsCompletion && completedAt === null ? "started" : "completed";
}

function metadataOf(text: string | null): JsonObject | undefined {
  if (text === null || text.length > longest.metadata) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && unstorableMessages(value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

function rankViolations({ columns, name }: AnswerGroup, cells: readonly QuestionCell[]): Violation[] {
  if (!areRanks(columns)) return [];
  const ranks = cells.filter((cell) => cell !== null);
  return new Set(ranks).size < ranks.length
    ? [{ path: name, message: "must give each entry a different position" }]
    : [];
}

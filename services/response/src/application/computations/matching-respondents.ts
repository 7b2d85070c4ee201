import type { Sql } from "@canvass/postgres";
import { answerKeysOf, askedContext, askedElements, type SurveyDefinition } from "@canvass/questions";
import { LRUCache } from "lru-cache";
import { requireGroup } from "../../domain/results/require-group.ts";
import type { ResultFilter } from "../../domain/results/result-filter.ts";
import type { WantedFacts } from "../../domain/results/wanted-facts.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { findMatchingVersions, openMatchingRows, type RowColumns } from "../../storage/results/matching-rows.ts";
import { createRowJudge } from "./judge-row.ts";

export interface RespondentQuery extends SurveyRef {
  filter: ResultFilter;
  /** Of the workspace. */
  timeZone: string;
  wanted: WantedFacts;
  /** Whether each respondent comes alone, with all its answers as JSON text. */
  allAnswers: boolean;
  /** Whether answers off the path count (contract 7.3). */
  includeOffPath: boolean;
}

/** Respondents with equal values of the wanted facts and of those that the filter uses. Other facts are empty. */
export interface MatchingRespondents {
  count: number;
  definition: SurveyDefinition;
  versionNumber: number;
  isAnonymous: boolean;
  startedAt: Date;
  completedAt: Date | null;
  language: string;
  distributorId: string;
  fields: Readonly<Record<string, string | number>>;
  answers: Readonly<Record<string, unknown>>;
  /** Of a respondent that comes alone: sets of answers by key, as `AnswerScanner` reads them. Else empty. */
  allAnswers: string;
}

/** More keys than this cost more than whole sets. */
const mostKeys = 100;
/** Rows come in the order of versions or of starts, so few definitions are in use at a time. */
const keptDefinitions = 8;
/** Limits of what is read at once: rows, and the weight of their answers (respondent-state.ts). */
const atOnce = { rows: 200, weight: 32 * 1024 * 1024 };

/**
 * Streams the respondents that match, without tests, in pages of bounded size. Run it in a transaction of its own, with
 * a snapshot. Conditions are judged by the answers that count, once for all who are alike. Throws `validation_failed`
 * at the end if anonymity forbids to show so few.
 */
export async function* matchingRespondents(
  sql: Sql,
  query: RespondentQuery,
  readDefinition: (versionId: string) => Promise<SurveyDefinition>,
): AsyncGenerator<MatchingRespondents[]> {
  const { workspaceId, surveyId, filter, timeZone, wanted, includeOffPath } = query;
  const { where, ...simple } = filter;
  const walk = { workspaceId, surveyId, filter: simple, timeZone };
  const { versionIds, heaviest } = await findMatchingVersions(sql, walk);
  const definitions = new LRUCache<number, SurveyDefinition>({ max: keptDefinitions });
  const definitionOf = async (versionNumber: number) => {
    const definition = definitions.get(versionNumber) ?? (await readDefinition(versionIds.get(versionNumber)!));
    definitions.set(versionNumber, definition);
    return definition;
  };
  const elementIds = new Set([...wanted.elementIds, ...(where ? askedElements(where) : [])]);
  const columns = await columnsOf(query, { versionNumbers: [...versionIds.keys()], elementIds, definitionOf });
  const judge = createRowJudge({ where, columns, elementIds });
  const readRows = await openMatchingRows(sql, walk, { columns, includeOffPath });
  const rowsAtOnce = Math.max(1, Math.min(atOnce.rows, Math.floor(atOnce.weight / Math.max(1, heaviest))));
  // Reads the next rows while the current ones are evaluated. If evaluating throws, nothing awaits that read.
  const readNext = () => {
    const reading = readRows(rowsAtOnce);
    reading.catch(() => undefined);
    return reading;
  };
  let anonymous = 0;
  for (let next = readNext(); ;) {
    const rows = await next;
    if (rows.length === 0) break;
    next = readNext();
    const matching: MatchingRespondents[] = [];
    for (const row of rows) {
      const { versionNumber, isAnonymous, count = 1, language = "", distributorId = "", startedAt } = row;
      const { completedAt = null } = row;
      const definition = definitions.get(versionNumber) ?? (await definitionOf(versionNumber));
      const { fields, answers, matches } = judge(row, definition);
      if (!matches) continue;
      if (isAnonymous) anonymous += count;
      matching.push({
        count,
        definition,
        versionNumber,
        isAnonymous,
        language,
        distributorId,
        fields,
        answers,
        allAnswers: columns.keys ? "" : row.answers,
        startedAt: new Date(startedAt),
        completedAt: completedAt === null ? null : new Date(completedAt),
      });
    }
    if (matching.length > 0) yield matching;
  }
  requireGroup(filter, anonymous);
}

interface KnownElements {
  versionNumbers: readonly number[];
  /** Elements that the condition or the computation reads. */
  elementIds: ReadonlySet<string>;
  definitionOf: (versionNumber: number) => Promise<SurveyDefinition>;
}

/** Returns the facts to read of rows, with the answers' keys in all versions unless they are too many. */
async function columnsOf(
  { filter: { where }, wanted, allAnswers }: RespondentQuery,
  { versionNumbers, elementIds, definitionOf }: KnownElements,
): Promise<RowColumns> {
  const context = where ? askedContext(where) : { fields: [], language: false };
  const columns = {
    fields: [...new Set([...wanted.fields, ...context.fields])],
    language: context.language || wanted.language,
    distributorId: wanted.distributorId,
    startedAt: wanted.startedAt,
  };
  if (allAnswers) return { ...columns, keys: null };
  const keys = new Set<string>();
  for (const versionNumber of versionNumbers) {
    const definition = await definitionOf(versionNumber);
    for (const elementId of elementIds) for (const key of answerKeysOf(definition, elementId)) keys.add(key);
  }
  return { ...columns, keys: keys.size > mostKeys ? null : [...keys] };
}

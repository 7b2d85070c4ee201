import type { Sql } from "@canvass/postgres";
import { answerKeysOf, askedContext, askedElements, fulfils, type SurveyDefinition } from "@canvass/questions";
import { LRUCache } from "lru-cache";
import { requireGroup } from "../../domain/results/require-group.ts";
import type { ResultFilter } from "../../domain/results/result-filter.ts";
import type { WantedFacts } from "../../domain/results/wanted-facts.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import {
  findMatchingVersions,
  openMatchingRows,
  type MatchingRow,
  type RowColumns,
} from "../../storage/results/matching-rows.ts";

export interface RespondentQuery extends SurveyRef {
  filter: ResultFilter;
  /** Null: each respondent comes alone, with all there is. */
  wanted: WantedFacts | null;
  /** Whether answers off the path count (contract 7.3). */
  includeOffPath: boolean;
}

/** Respondents that are alike in what is wanted of them and what the filter asks. What neither asks is empty. */
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
}

/** More keys than this cost more than whole sets. */
const mostKeys = 100;
/** Rows come by version or by age, so that neighbours have the same version. */
const keptDefinitions = 8;
/** Limits of what is read at once: rows, and the weight of their answers (respondent-state.ts). */
const atOnce = { rows: 1_000, weight: 32 * 1024 * 1024 };

/**
 * Streams the respondents that match, without tests, in pages of bounded size. Run it in a transaction of its own, with
 * a snapshot. Conditions are judged by the answers that count, once for all who are alike. Throws `validation_failed` at
 * the end if anonymity forbids to show so few.
 */
export async function* matchingRespondents(
  sql: Sql,
  query: RespondentQuery,
  readDefinition: (versionId: string) => Promise<SurveyDefinition>,
): AsyncGenerator<MatchingRespondents[]> {
  const { workspaceId, surveyId, filter, includeOffPath } = query;
  const { where, ...simple } = filter;
  const definitions = new LRUCache<string, SurveyDefinition>({ max: keptDefinitions });
  const definitionOf = async (versionId: string) => {
    const definition = definitions.get(versionId) ?? (await readDefinition(versionId));
    definitions.set(versionId, definition);
    return definition;
  };
  const walk = { workspaceId, surveyId, filter: simple };
  const { versionIds, heaviest } = await findMatchingVersions(sql, walk);
  const columns = await columnsOf(query, versionIds, definitionOf);
  const readRows = await openMatchingRows(sql, walk, { columns, includeOffPath });
  const rowsAtOnce = Math.max(1, Math.min(atOnce.rows, Math.floor(atOnce.weight / Math.max(1, heaviest))));
  // Read while the rows before are judged. If the work fails meanwhile, nobody awaits it.
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
      const { versionId, versionNumber, isAnonymous, count, language, distributorId, startedAt, completedAt } = row;
      const definition = definitions.get(versionId) ?? (await definitionOf(versionId));
      const fields = fieldsOf(row, columns);
      const answers = answersOf(row, columns);
      if (where && !fulfils(definition, where, { answers, context: { fields, language } })) continue;
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
        startedAt: new Date(startedAt),
        completedAt: completedAt === null ? null : new Date(completedAt),
      });
    }
    if (matching.length > 0) yield matching;
  }
  requireGroup(filter, anonymous);
}

/** Returns what is wanted of rows, with the answers' keys in all versions, or null to read each respondent whole. */
async function columnsOf(
  { filter: { where }, wanted }: RespondentQuery,
  versionIds: readonly string[],
  definitionOf: (versionId: string) => Promise<SurveyDefinition>,
): Promise<RowColumns | null> {
  if (wanted === null) return null;
  const context = where ? askedContext(where) : { fields: [], language: false };
  const elementIds = new Set([...wanted.elementIds, ...(where ? askedElements(where) : [])]);
  const keys = new Set<string>();
  for (const versionId of versionIds) {
    const definition = await definitionOf(versionId);
    for (const elementId of elementIds) for (const key of answerKeysOf(definition, elementId)) keys.add(key);
  }
  if (keys.size > mostKeys) return null;
  return {
    keys: [...keys],
    fields: [...new Set([...wanted.fields, ...context.fields])],
    language: wanted.language || context.language,
    distributorId: wanted.distributorId,
    startedAt: wanted.startedAt,
  };
}

function answersOf({ answers }: MatchingRow, columns: RowColumns | null): MatchingRespondents["answers"] {
  if (columns) return named(columns.keys, answers);
  const sets = JSON.parse(answers) as Record<string, unknown>[];
  return sets.length === 1 ? sets[0]! : (Object.assign({}, ...sets) as Record<string, unknown>);
}

function fieldsOf({ fields }: MatchingRow, columns: RowColumns | null): MatchingRespondents["fields"] {
  return (columns ? named(columns.fields, fields) : JSON.parse(fields)) as MatchingRespondents["fields"];
}

function named(names: readonly string[], json: string): Record<string, unknown> {
  const values = JSON.parse(json) as unknown[];
  return Object.fromEntries(names.map((name, at) => [name, values[at]]).filter(([, value]) => value !== null));
}

import type { Sql } from "@canvass/postgres";
import { answerKeysOf, askedElements, fulfils, type SurveyDefinition } from "@canvass/questions";
import { LRUCache } from "lru-cache";
import type { Counted } from "../../domain/results/count-respondent.ts";
import { requireGroup } from "../../domain/results/require-group.ts";
import type { ResultFilter } from "../../domain/results/result-filter.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import {
  findMatchingPage,
  findMatchingVersions,
  type MatchingRow,
  type MatchingSet,
} from "../../storage/results/matching-pages.ts";

export interface RespondentQuery extends SurveyRef {
  filter: ResultFilter;
  /** Whose answers are wanted. Null: all. */
  elementIds: readonly string[] | null;
  /** Whether answers off the path count (contract 7.3). */
  includeOffPath: boolean;
}

/** A respondent with the wanted answers, and those that the filter asks. */
export interface MatchingRespondent extends Counted {
  respondentId: string;
  versionNumber: number;
  definition: SurveyDefinition;
}

/** More keys than this cost more than whole sets. */
const mostKeys = 100;
/** Respondents come by age, so that neighbours have the same version. */
const keptDefinitions = 8;

/**
 * Streams the respondents that match, without tests, in pages of bounded size. Run it in a snapshot. Conditions are
 * judged by the answers that count. Throws `validation_failed` at the end if anonymity forbids to show so few.
 */
export async function* matchingRespondents(
  sql: Sql,
  query: RespondentQuery,
  readDefinition: (versionId: string) => Promise<SurveyDefinition>,
): AsyncGenerator<MatchingRespondent[]> {
  const { workspaceId, surveyId, filter, includeOffPath } = query;
  const { where, ...simple } = filter;
  const definitions = new LRUCache<string, SurveyDefinition>({ max: keptDefinitions });
  const definitionOf = async (versionId: string) => {
    const definition = definitions.get(versionId) ?? (await readDefinition(versionId));
    definitions.set(versionId, definition);
    return definition;
  };
  const walk = { workspaceId, surveyId, filter: simple };
  const keys = await keysOf(sql, query, definitionOf);
  let anonymous = 0;
  for (let after = ""; ;) {
    const rows = await findMatchingPage(sql, { ...walk, keys }, after);
    if (rows.length === 0) break;
    after = rows.at(-1)!.respondentId;
    const matching: MatchingRespondent[] = [];
    for (const { line } of rows) {
      const [respondentId, versionId, versionNumber, isAnonymous, startedAt, completedAt, ...rest] = JSON.parse(
        line,
      ) as MatchingRow;
      const [language, distributorId, fields, sets] = rest;
      const definition = definitions.get(versionId) ?? (await definitionOf(versionId));
      const answers = answersOf(sets, keys, includeOffPath);
      if (where && !fulfils(definition, where, { answers, context: { fields, language } })) continue;
      if (isAnonymous) anonymous += 1;
      const about = { workspaceId, surveyId, respondentId, versionNumber, definition, isTest: false, isAnonymous };
      matching.push({
        ...about,
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

/** Returns the keys of the wanted answers in all versions, or null to read all. */
async function keysOf(
  sql: Sql,
  { filter: { where, ...filter }, elementIds, ...survey }: RespondentQuery,
  definitionOf: (versionId: string) => Promise<SurveyDefinition>,
): Promise<string[] | null> {
  if (elementIds === null) return null;
  const wanted = new Set([...elementIds, ...(where ? askedElements(where) : [])]);
  const keys = new Set<string>();
  for (const versionId of await findMatchingVersions(sql, { ...survey, filter, keys: null })) {
    const definition = await definitionOf(versionId);
    for (const elementId of wanted) for (const key of answerKeysOf(definition, elementId)) keys.add(key);
  }
  return keys.size > mostKeys ? null : [...keys];
}

function answersOf(
  sets: readonly MatchingSet[],
  keys: readonly string[] | null,
  includeOffPath: boolean,
): MatchingRespondent["answers"] {
  const answers = new Map<string, { value: unknown; offPath?: boolean }>();
  const add = (key: string, value: unknown, isOffPath: boolean) => {
    if (isOffPath && !includeOffPath) return;
    answers.set(key, isOffPath ? { value, offPath: true } : { value });
  };
  for (const [offPath, ...values] of sets) {
    const entries = keys
      ? values.map((value, index) => [keys[index]!, value] as const).filter(([, value]) => value !== null)
      : Object.entries(values[0] as object);
    for (const [key, value] of entries) add(key, value, offPath?.includes(key) ?? false);
  }
  return answers;
}

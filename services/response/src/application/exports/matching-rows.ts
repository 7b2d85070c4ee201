import { fulfils, type Condition, type SurveyDefinition } from "@canvass/questions";
import { LRUCache } from "lru-cache";
import { namedRow, type CollectedRow } from "../../domain/exports/collected-row.ts";
import type { ExportRow } from "../../storage/exports/export-rows.ts";
import type { ExportHost, ExportWork } from "./export-work.ts";

export type MatchRows = (rows: ExportRow[]) => Promise<ExportRow[]>;

/** Respondents come in the order of their ids, so neighbours mostly have the same version. */
const cachedDefinitions = 8;

/**
 * Keeps the respondents that fulfil the condition of an export, by their answers as the export holds them (contract
 * 7.3).
 */
export function createRowMatcher(
  { options: { where } }: Pick<ExportWork, "options">,
  host: Pick<ExportHost, "version">,
): MatchRows {
  if (!where) return (rows) => Promise.resolve(rows);
  const definitions = new LRUCache<string, SurveyDefinition>({ max: cachedDefinitions });
  const definitionOf = async (versionId: string) => {
    const definition = definitions.get(versionId) ?? (await host.version(versionId)).definition;
    definitions.set(versionId, definition);
    return definition;
  };
  return async (rows) => {
    const matching: ExportRow[] = [];
    for (const row of rows) if (isMatching(row, await definitionOf(row.versionId), where)) matching.push(row);
    return matching;
  };
}

function isMatching({ line, fields }: ExportRow, definition: SurveyDefinition, where: Condition): boolean {
  const { language, answers: sets } = namedRow(JSON.parse(line) as CollectedRow);
  const answers = Object.assign({}, ...sets) as Record<string, unknown>;
  const context = { fields: JSON.parse(fields) as Record<string, string | number>, language };
  return fulfils(definition, where, { answers, context });
}

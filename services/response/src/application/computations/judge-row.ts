import { fulfils, parseAnswerKey, type Condition, type SurveyDefinition } from "@canvass/questions";
import { LRUCache } from "lru-cache";
import { type AnswerScanner, createAnswerScanner } from "../../domain/results/answer-scanner.ts";
import type { MatchingRow, RowColumns } from "../../storage/results/matching-rows.ts";

/** The wanted facts of a respondent. */
export interface AskedFacts {
  fields: Readonly<Record<string, string | number>>;
  answers: Readonly<Record<string, unknown>>;
  /** Whether it fulfils the condition. */
  matches: boolean;
}

export interface JudgeOptions {
  where: Condition | undefined;
  columns: RowColumns;
  /** Elements whose answers are read where each respondent has a row of its own. */
  elementIds: ReadonlySet<string>;
}

/** Limits the memory for facts of equal respondents, in characters. */
const keptCharacters = 4 * 1024 * 1024;

/** Returns a function that reads rows, once for all rows with equal facts. */
export function createRowJudge({ where, columns, elementIds }: JudgeOptions) {
  const known = new LRUCache<string, AskedFacts>({
    maxSize: keptCharacters,
    sizeCalculation: (_, key) => key.length + 100,
  });
  const { keys } = columns;
  const askedOf = keys ? ({ answers }: MatchingRow) => answers : createAskedReader(elementIds);
  const answersOf = (json: string) => (keys ? named(keys, json) : (JSON.parse(json) as AskedFacts["answers"]));

  return (row: MatchingRow, definition: SurveyDefinition): AskedFacts => {
    const asked = askedOf(row);
    const { versionNumber, language = "", fields: fieldsJson = "[]" } = row;
    const key = `${versionNumber} ${language} ${fieldsJson}${asked}`;
    let facts = known.get(key);
    if (!facts) {
      const fields = named(columns.fields, fieldsJson) as AskedFacts["fields"];
      const answers = answersOf(asked);
      const context = { fields, language };
      facts = { fields, answers, matches: !where || fulfils(definition, where, { answers, context }) };
      known.set(key, facts);
    }
    return facts;
  };
}

/** Returns a function that reads the answers to elements as a JSON object. */
function createAskedReader(elementIds: ReadonlySet<string>): (row: MatchingRow) => string {
  if (elementIds.size === 0) return () => "{}";
  const scanners = new LRUCache<number, AnswerScanner<string>>({ max: 8 });
  return ({ versionNumber, answers }) => {
    let scanner = scanners.get(versionNumber);
    if (!scanner) {
      scanner = createAnswerScanner((key) =>
        elementIds.has(parseAnswerKey(key).elementId) ? `${JSON.stringify(key)}:` : "",
      );
      scanners.set(versionNumber, scanner);
    }
    let asked = "";
    scanner.scan(answers, (name, value) => {
      if (name !== "") asked += (asked === "" ? "" : ",") + name + value;
    });
    return `{${asked}}`;
  };
}

function named(names: readonly string[], json: string): Record<string, unknown> {
  const values = JSON.parse(json) as unknown[];
  return Object.fromEntries(names.map((name, at) => [name, values[at]]).filter(([, value]) => value !== null));
}

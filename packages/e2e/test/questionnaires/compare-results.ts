import { expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import { expectedMembers, expectedTable, type Cell, type Row } from "./expected-table.ts";
import { expectedStats } from "./expected-results.ts";
import type { Person, Questionnaire } from "./questionnaire.ts";
import { exportFile, readers, readLines, type ReadRow } from "./read-exports.ts";

/** Compares all that shows results with the model. */
export function testResults(find: () => { questionnaire: Questionnaire; people: Person[] }): void {
  test("everybody went the way of the model, and answers off it are marked", () => {
    const { people } = find();
    for (const { respondentId, path, raw, offPath, answers, isCompleted } of people) {
      expect([respondentId, raw.length - answers.size]).toEqual([respondentId, offPath.length]);
      expect(offPath.filter((place) => path.find(place) !== undefined)).toEqual([]);
      expect([respondentId, path.broken()]).toEqual([respondentId, []]);
      if (isCompleted) expect([respondentId, path.missing(), path.uncarried()]).toEqual([respondentId, [], []]);
    }
  });

  test("quotas have counted who completed", async () => {
    const { questionnaire, people } = find();
    const { api, surveyId, document } = questionnaire;
    const expected = (document.quotas ?? []).map(({ name, when, limit }) => {
      const count = people.filter(({ isCompleted, path }) => isCompleted && path.holds(when)).length;
      return { name, count, remaining: limit - count, isFull: count === limit };
    });
    expect((await api.get(`/surveys/${surveyId}/quotas`)).data.quotas).toMatchObject(expected);
  });

  test("the aggregation has the model's figures", async () => {
    const { questionnaire, people } = find();
    const { data } = await questionnaire.api.get(`/response/surveys/${questionnaire.surveyId}/aggregation`);
    const completed = people.filter(({ isCompleted }) => isCompleted).length;
    expect(data.respondentStats).toMatchObject({ totalStarted: people.length, totalCompleted: completed });
    const shown = data.questionStats.map(({ name, responseCount, uniqueRespondents, distribution }: Json) => ({
      name,
      responseCount,
      uniqueRespondents,
      distribution,
    }));
    expect(shown).toEqual(expectedStats(questionnaire, people));
  });

  test("the report has the model's figures", async () => {
    const { questionnaire, people } = find();
    const { raw } = await questionnaire.api.call("GET", `/response/surveys/${questionnaire.surveyId}/report`);
    const sections = raw.split("<section>").slice(2);
    const facts = sections.map(
      (section) => /<p class="facts">(?<name>\w+) · (?<count>\d+) answers?/.exec(section)!.groups!,
    );
    const expected = expectedStats(questionnaire, people);
    expect(facts.map(({ name, count }) => [name, Number(count)])).toEqual(
      expected.map(({ name, responseCount }) => [name, responseCount]),
    );
    for (const [index, { element, entries }] of questionnaire.asked.entries()) {
      if (element.type !== "multiple_choice") continue;
      const rows = [...sections[index]!.matchAll(/<th scope="row"[^>]*>(?<label>[^<]*)<\/th><td>(?<count>\d+)</g)];
      const { counts } = expected[index]!.distribution as { counts: Record<string, number> };
      expect(rows.map(({ groups }) => [groups!["label"], Number(groups!["count"])])).toEqual(
        [...entries].map(([id, { text }]) => [text, counts[id]]),
      );
    }
  });

  test.each(Object.keys(readers) as (keyof typeof readers)[])(
    "an export as %s has the model's rows",
    async (format) => {
      const { questionnaire, people } = find();
      const rows = await readers[format](await exportFile(questionnaire, { format }));
      const expected = expectedTable(questionnaire, people);
      const written = Object.entries(expected).map(([id, row]) => [id, writtenRow(row, format)]);
      expect(byId(rows)).toEqual(Object.fromEntries(written));
    },
  );

  test.each(["json", "ndjson"])("an export as %s has a member for each question", async (format) => {
    const { questionnaire, people } = find();
    const file = await exportFile(questionnaire, { format });
    const rows = format === "json" ? (JSON.parse(file.toString()) as ReadRow[]) : readLines(file);
    expect(byId(rows)).toEqual(expectedMembers(questionnaire, people));
  });
}

/** Columns that the model does not know. */
const others = ["startedAt", "completedAt", "versionNumber", "distributorId", "contactId", "metadata"];

function byId(rows: readonly ReadRow[]): Record<string, ReadRow> {
  const known = rows.map((row) => Object.entries(row).filter(([name]) => !others.includes(name)));
  return Object.fromEntries(known.map((row) => [row[0]![1] as string, Object.fromEntries(row)]));
}

const writtenRow = (row: Row, format: keyof typeof readers) =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, write[format](cell)]));

/** Seconds between the epochs of SPSS and Unix. */
const savEpoch = 12_219_379_200;

const dateOr = ({ text, isDate }: Cell): unknown => (isDate ? new Date(text as string) : text);

const write: Record<keyof typeof readers, (cell: Cell) => unknown> = {
  csv: ({ text }) =>
    /^[=+\-@]/.test(String(text ?? "")) && typeof text === "string" ? `'${text}` : String(text ?? ""),
  xlsx: dateOr,
  parquet: dateOr,
  // An empty text is what SPSS has for none.
  sav: ({ code, isDate, isText }) =>
    isDate ? Date.parse(code as string) / 1000 + savEpoch : (code ?? (isText ? "" : null)),
};

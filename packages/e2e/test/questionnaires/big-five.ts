import { beforeAll, expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";
import { testResults } from "./compare-results.ts";
import { publishQuestionnaire, readPeople, type Person, type Questionnaire } from "./questionnaire.ts";
import { exportFile, readers } from "./read-exports.ts";
import { bigFiveDocument } from "./survey-document.ts";

const seed = 25;
const languages = ["de", "fr", "es"];

/** Tests the Big Five in three languages beside English. By its scoring key, codes of reversed items count down. */
export function testBigFive(shared: SharedSystem): void {
  let questionnaire: Questionnaire;
  let filled: Json;
  let people: Person[];

  beforeAll(async () => {
    questionnaire = await publishQuestionnaire(shared, bigFiveDocument());
    filled = await questionnaire.fill(60, seed, "--languages", languages.join(","));
    people = await readPeople(questionnaire);
  });

  test("respondents are spread over the languages that were chosen", () => {
    const counts = Map.groupBy(people, ({ language }) => language);
    expect(filled.languages).toEqual(Object.fromEntries([...counts].map(([language, own]) => [language, own.length])));
    expect([...counts.keys()].toSorted()).toEqual(languages.toSorted());
  });

  test("every text has a translation", async () => {
    const { data } = await questionnaire.api.get(`/surveys/${questionnaire.surveyId}/translations`);
    const states = data.map(({ language, missing, outdated }: Json) => ({ language, missing, outdated }));
    expect(states).toEqual(languages.map((language) => ({ language, missing: 0, outdated: 0 })));
  });

  testResults(() => ({ questionnaire, people }));

  test("in another language texts are other ones, and codes the same", async () => {
    const { asked } = questionnaire;
    const [english, spanish] = [
      await readers.csv(await exportFile(questionnaire, { format: "csv" })),
      await readers.csv(await exportFile(questionnaire, { format: "csv", language: "es" })),
    ];
    for (const { element } of asked) {
      const own = element.translations!["es"]!;
      const translated = new Map(element.choices!.map(({ key, text }) => [text, own[`choices.${key}`]]));
      expect(spanish.map((row) => row[element.name])).toEqual(
        english.map((row) => translated.get(row[element.name] as string) ?? ""),
      );
    }
    const texts = (await exportFile(questionnaire, { format: "csv", language: "fr", headings: "texts" })).toString();
    expect(texts.split("\n")[0]).toContain("Je sais captiver les gens.");
    const report = await questionnaire.api.call(
      "GET",
      `/response/surveys/${questionnaire.surveyId}/report?language=de`,
    );
    expect(report.raw).toContain("Ich liebe Kinder.");
  });

  test("a scale is the mean of the codes of its items, whatever their wording", async () => {
    const rows = await readers.sav(await exportFile(questionnaire, { format: "sav" }));
    const names = ["E1", "E2", "E3", "E4", "E5"];
    const means = rows.map((row) => [row["respondentId"], scaleOf(names.map((name) => row[name] as number | null))]);
    const expected = people.map(({ respondentId, answers }) => {
      const codes = names.map((name) => {
        const said = answers.get(name);
        if (said?.kind !== "one") return null;
        const step = Number(said.entry.key.slice(-1));
        return name === "E1" || name === "E2" ? 7 - step : step;
      });
      return [respondentId, scaleOf(codes)];
    });
    expect(Object.fromEntries(expected)).toMatchObject(Object.fromEntries(means));
  });
}

function scaleOf(codes: readonly (number | null)[]): number | null {
  const given = codes.filter((code) => code !== null);
  return given.length === 0 ? null : given.reduce((sum, code) => sum + code, 0) / given.length;
}

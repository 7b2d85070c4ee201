import { beforeAll, expect, test } from "vitest";
import type { SharedSystem } from "../shared-system.ts";
import { testResults } from "./compare-results.ts";
import type { Said } from "./naive-logic.ts";
import { publishQuestionnaire, readPeople, type Person, type Questionnaire } from "./questionnaire.ts";
import { readDocument } from "./survey-document.ts";

const seed = 5;

/** Tests a household roster: loops, conditions and constraints about the person of each page. */
export function testHousehold(shared: SharedSystem): void {
  let questionnaire: Questionnaire;
  let people: Person[];

  beforeAll(async () => {
    questionnaire = await publishQuestionnaire(shared, readDocument("household.yaml"));
    const filled = await questionnaire.fill(80, seed);
    expect(filled).toMatchObject({ respondents: 80, failed: 0, stuckAt: {}, seed });
    await addPeopleWhoRemoveAMember(questionnaire, 3);
    people = await readPeople(questionnaire);
  });

  testResults(() => ({ questionnaire, people }));

  test("every question was shown to somebody", () => {
    const shown = new Set(people.flatMap(({ path }) => [...path.shown].map((place) => place.split(":")[0])));
    expect(shown).toEqual(new Set(questionnaire.asked.map(({ element }) => element.name)));
  });

  test("a household member who was taken back is no longer a choice", () => {
    const keys = (said: Said | undefined) => (said?.kind === "several" ? said.entries.map(({ key }) => key) : said);
    const changed = people.slice(-3).map(({ answers }) => [keys(answers.get("earners")), answers.get("most")]);
    expect(changed).toEqual(Array.from({ length: 3 }, () => [["one"], undefined]));
  });

  test("answers about a household member who was taken back are off the path", () => {
    const changed = people.slice(-3).map(({ offPath, status }) => [status, offPath.toSorted()]);
    expect(changed).toEqual(
      Array.from({ length: 3 }, () => ["completed", ["age:two", "most", "relation:two", "rent"]]),
    );
  });
}

/** Adds respondents who name two members and a rent, then remove one and own: those answers end off the path. */
async function addPeopleWhoRemoveAMember({ api, surveyId, asked }: Questionnaire, count: number): Promise<void> {
  const find = (name: string) => asked.find(({ element }) => element.name === name)!;
  const [one, two] = [...find("people").entries.keys()];
  const answer = (name: string, value: unknown, item?: string) => ({
    elementId: [find(name).elementId, ...(item === undefined ? [] : [item])].join(":"),
    value,
  });
  const path = `/response/surveys/${surveyId}`;
  const first = [
    answer("people", [one, two]),
    answer("owns", false),
    answer("rent", 850.5),
    answer("earners", [one, two]),
    answer("most", two),
  ];
  const ages = [
    answer("age", 30, one),
    answer("age", 14, two),
    answer("relation", [...find("relation").entries.keys()][2], two),
  ];
  const changed = [answer("people", [one]), answer("owns", true)];
  for (let number = 0; number < count; number++) {
    const { respondentId } = (await api.post(`${path}/respondents`, {})).data;
    await api.post(path, { respondentId, responses: [...first, ...ages], metadata: { complete: false } });
    await api.post(path, { respondentId, responses: changed, metadata: { complete: true } });
  }
}

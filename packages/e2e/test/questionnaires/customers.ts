import { beforeAll, expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";
import { testResults } from "./compare-results.ts";
import { publishQuestionnaire, readPeople, type Person, type Questionnaire } from "./questionnaire.ts";
import { exportFile, readers } from "./read-exports.ts";
import { readDocument } from "./survey-document.ts";

const seed = 11;

/**
 * Tests a customer survey: follow-ups by score, hidden fields, an exclusive choice, a free text, carried choices,
 * quotas.
 */
export function testCustomers(shared: SharedSystem): void {
  let questionnaire: Questionnaire;
  let filled: Json;
  let people: Person[];

  beforeAll(async () => {
    questionnaire = await publishQuestionnaire(shared, readDocument("customers.yaml"));
    filled = await questionnaire.fill(80, seed, "--fields", "plan=pro");
    await changeMinds(questionnaire, await readPeople(questionnaire));
    people = await readPeople(questionnaire);
  });

  test("full quotas are told and are no failures", () => {
    expect(filled).toMatchObject({ failed: 0, refusal: null, languages: { en: filled.respondents }, stuckAt: {} });
    expect(filled.respondents + filled.quotaFull).toBe(80);
    expect(filled.quotaFull).toBeGreaterThan(0);
    expect(filled.screenedOut).toBeGreaterThan(0);
    expect(filled.fullQuotas).toEqual({ Promoters: filled.quotaFull, "Angry newcomers": filled.screenedOut });
    const ofStatus = (status: string) => people.filter((person) => person.status === status).length;
    expect([ofStatus("completed"), ofStatus("screened_out")]).toEqual([filled.completed, filled.screenedOut]);
  });

  test("hidden fields are as given, or random", () => {
    expect(new Set(people.map(({ fields }) => fields["plan"]))).toEqual(new Set(["pro"]));
    expect(new Set(people.map(({ fields }) => fields["customer"])).size).toBeGreaterThan(20);
  });

  test("exports of unfinished respondents tell who was screened out", async () => {
    const rows = await readers.csv(await exportFile(questionnaire, { format: "csv", includePartial: true }));
    const names: Record<string, string> = { started: "Started", completed: "Completed", screened_out: "Screened out" };
    const answered = people.filter(({ raw }) => raw.length > 0);
    expect(Object.fromEntries(rows.map((row) => [row["respondentId"], row["status"]]))).toEqual(
      Object.fromEntries(answered.map(({ respondentId, status }) => [respondentId, names[status]])),
    );
  });

  testResults(() => ({ questionnaire, people }));
}

/** Some who would not recommend change their minds after completion: their reasons are off the path then. */
async function changeMinds({ api, surveyId, asked }: Questionnaire, people: readonly Person[]): Promise<void> {
  const { elementId } = asked.find(({ element }) => element.name === "score")!;
  const changing = people.filter(({ isCompleted, answers }) => isCompleted && answers.has("wrong")).slice(0, 5);
  expect(changing).toHaveLength(5);
  for (const { respondentId } of changing) {
    await api.post(`/response/surveys/${surveyId}`, { respondentId, responses: [{ elementId, value: 7 }] });
  }
}

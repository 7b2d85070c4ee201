import { mostBatchItems } from "@canvass/inputs";
import { buildQuestions, mostAnswers, type SurveyDefinition } from "@canvass/questions";
import { expect, test } from "vitest";
import { sampleBatches } from "./sample-submissions.ts";

function surveyOf(questions: object[]): SurveyDefinition {
  let last = 0;
  const newId = () => String(++last).padStart(16, "0");
  const built = buildQuestions(questions, newId);
  if ("violations" in built) throw new Error(JSON.stringify(built.violations));
  const elements = built.questions.map(({ question }) => question);
  return { pages: [{ pageId: newId(), title: null, loop: null, skipLogic: [], elements }] };
}

/** Returns evenly spread numbers, the same in every run. */
function evenly() {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const someone = { run: "r", languages: ["en"], fields: {} };

test("batches keep to the API's limits, and hold everybody once", () => {
  const definition = surveyOf([{ type: "long_text", text: "Tell", typeSettings: { minLength: 5_000 } }]);
  const batches = [...sampleBatches(definition, { ...someone, count: 1_200, size: 500, random: evenly() })];
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(mostBatchItems);
    const submissions = batch.flatMap((respondent) => respondent.submissions);
    expect(JSON.stringify({ submissions }).length).toBeLessThan(1_048_576);
  }
  const keys = batches.flat().flatMap(({ submissions }) => submissions.map(({ idempotencyKey }) => idempotencyKey));
  expect([keys.length, new Set(keys).size]).toEqual([1_200, 1_200]);
});

test("answers that one submission cannot hold follow in others, of which only the last completes", () => {
  const questions = Array.from({ length: 900 }, (_, at) => ({ type: "rating", text: `${at}`, required: true }));
  const [[respondent] = []] = [
    ...sampleBatches(surveyOf(questions), { ...someone, count: 1, size: 1, random: () => 0.5 }),
  ];
  const { submissions, completes, answers } = respondent!;
  expect([completes, answers]).toEqual([true, 900]);
  expect(submissions.map(({ responses }) => responses.length)).toEqual([mostAnswers, 400]);
  expect(submissions.map(({ metadata }) => metadata.complete)).toEqual([false, true]);
});

test("respondents are spread over the languages, and have values of hidden fields, given ones first", () => {
  const definition: SurveyDefinition = {
    ...surveyOf([{ type: "yes_no", text: "Well?" }]),
    fields: [
      { name: "customer", type: "number" },
      { name: "source", type: "text" },
    ],
  };
  const options = { ...someone, languages: ["en", "de", "ar"], fields: { source: "mail" } };
  const people = [...sampleBatches(definition, { ...options, count: 300, size: 300, random: evenly() })].flat();
  for (const language of options.languages) {
    const own = people.filter((person) => person.language === language);
    expect(own.length).toBeGreaterThan(60);
    expect(own.flatMap(({ submissions }) => submissions.map(({ metadata }) => metadata.language))).toEqual(
      own.map(() => language),
    );
  }
  const fieldsOf = people.map(({ submissions: [first] }) => first!.fields!);
  const numbers = fieldsOf.flatMap(({ customer }) => customer ?? []);
  expect(numbers.every((each) => Number.isInteger(each))).toBe(true);
  expect(numbers.length).toBeGreaterThan(200);
  expect(numbers.length).toBeLessThan(300);
  expect(fieldsOf.every(({ source }) => source === "mail")).toBe(true);
});

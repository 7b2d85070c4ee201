import * as fc from "fast-check";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { narrowFields, questionFields } from "../../test/settings-arbitraries.ts";
import { countingIds, idsOf, retire, sampleQuestion } from "../../test/sample-question.ts";
import { answerValueInputSchema, answerValueSchema } from "../answers/answer-schemas.ts";
import { questionTypeOf, questionTypes } from "../catalogue.ts";
import type { Question } from "../definition.ts";
import { typeSettingsSchema } from "../element-schemas.ts";
import { buildQuestions } from "../new-questions.ts";
import type { Random } from "./random.ts";

/** Any source of numbers, even one that always returns the same number. */
const randoms: fc.Arbitrary<Random> = fc
  .array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 40 })
  .map((tape) => {
    let at = 0;
    return () => tape[at++ % tape.length]!;
  });

function built(type: string, fields: Record<string, unknown>): Question | undefined {
  const result = buildQuestions([{ type, text: "What?", ...fields }], countingIds());
  return "violations" in result ? undefined : result.questions[0]?.question;
}

/** Returns questions of a type with random settings, some with their first choice, row or column retired. */
function questionsOf(type: string, fields: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Question> {
  const questions = fields.map((given) => built(type, given)).filter((question) => question !== undefined);
  return fc.tuple(questions, fc.constantFrom(null, "choices", "rows", "columns")).map(([question, list]) => {
    if (list === null || (question[list] ?? []).length < 2 || question.typeSettings["minSelections"]) return question;
    return retire(question, list, idsOf(question[list])[0]!);
  });
}

describe.each(questionTypes.map((type) => [type.typeName, type] as const))("samples of %s", (name, type) => {
  test("are accepted and match the documented schemas, for any settings", () => {
    const [values, inputs, settings] = [
      answerValueSchema(type),
      answerValueInputSchema(type),
      typeSettingsSchema(type),
    ].map((schema) => Compile(schema));
    fc.assert(
      fc.property(questionsOf(name, questionFields[name]!), randoms, (question, random) => {
        const value = type.sample(question, random);
        expect([...settings!.Errors(question.typeSettings)]).toEqual([]);
        // Sample files would have to be uploaded.
        expect(value !== undefined).toBe(type.answerable && !type.fileIds);
        if (value === undefined) return;
        expect(type.isEmpty(value)).toBe(false);
        const sent: unknown = JSON.parse(JSON.stringify(value));
        expect(type.checkValue(question, sent)).toEqual([]);
        expect([values!.Check(sent), inputs!.Check(sent), inputs!.Check(null)]).toEqual([true, true, true]);
      }),
      { numRuns: 300 },
    );
  });
});

test.each(Object.keys(narrowFields))("of %s with narrow settings there is an accepted sample, or none", (name) => {
  let found = 0;
  const evaluate = (question: Question, random: Random) => {
    const type = questionTypeOf(question);
    const value = type.sample(question, random);
    if (value === undefined) return;
    found += 1;
    expect(type.checkValue(question, value)).toEqual([]);
  };
  fc.assert(fc.property(questionsOf(name, narrowFields[name]!), randoms, evaluate), { numRuns: 500 });
  expect(found).toBeGreaterThan(100);
});

test.each([
  [{ format: "email", minLength: 120 }],
  [{ format: "url", minLength: 120 }],
  [{ format: "phone" }],
  [{ pattern: "^[0-9]{5}$" }],
  [{ pattern: "^[A-Z]{2}-\\d{4}$" }],
])("a short text of %j has a sample", (typeSettings) => {
  const question = sampleQuestion("short_text", { typeSettings });
  fc.assert(
    fc.property(randoms, (random) => {
      expect(questionTypeOf(question).sample(question, random)).toBeDefined();
    }),
  );
});

/** Returns evenly spread numbers, the same in every run. */
function evenly(): Random {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test("ratings lean to the upper middle and choices have favourites", () => {
  const random = evenly();
  const drawn = (type: string, fields: Record<string, unknown>) => {
    const question = sampleQuestion(type, fields);
    const counts = new Map<unknown, number>();
    for (let time = 0; time < 5_000; time++) {
      const value = questionTypeOf(question).sample(question, random);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  };
  const ratings = drawn("rating", { typeSettings: { steps: 5 } });
  const byCount = [...ratings].sort(([, a], [, b]) => b - a).map(([step]) => step);
  expect([byCount.length, new Set(byCount.slice(0, 2))]).toEqual([5, new Set([3, 4])]);
  const choices = [...drawn("dropdown", { choices: ["A", "B", "C", "D", "E"] }).values()].sort((a, b) => b - a);
  expect(choices).toHaveLength(5);
  expect(choices[0]! / choices[4]!).toBeGreaterThan(3);
});

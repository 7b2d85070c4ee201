import * as fc from "fast-check";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { hugeValues } from "../test/huge-values.ts";
import { sampleQuestion, statsOf } from "../test/sample-question.ts";
import { answerables } from "../test/value-arbitraries.ts";
import { valueSchemaOf } from "./answers/answers-schema.ts";
import { findQuestionType, questionTypeOf, questionTypes, typeNames } from "./catalogue.ts";
import { parseTimestamp } from "./dates.ts";
import { distributionSchemas } from "./distribution-schemas.ts";
import { questionSchema, type Question } from "./definition.ts";
import { defaultOf, withDefaults } from "./type-settings.ts";
import { tallyChange, applyTally } from "./tally.ts";

const hostileKeys = fc.constantFrom("__proto__", "constructor", "toString", "choiceId", "otherText", "length", "0");
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc
    .dictionary(fc.oneof(hostileKeys, fc.string()), fc.jsonValue({ maxDepth: 2 }))
    .map((object) => JSON.parse(JSON.stringify(object))),
  fc.array(fc.constantFrom("0000000000000001", "0000000000000002", 1, null)),
);
const samples = typeNames.map((name): Question => answerables[name]?.question ?? sampleQuestion(name));
const names = Object.keys(answerables);

test("the catalogue holds the types by number, without gaps, and by name", () => {
  expect(questionTypes.map(({ number }) => number)).toEqual(questionTypes.map((_, index) => index + 1));
  expect(new Set(typeNames).size).toBe(questionTypes.length);
  for (const type of questionTypes) {
    expect(findQuestionType(type.number)).toBe(type);
    expect(findQuestionType(type.typeName)).toBe(type);
  }
  for (const wrong of [0, 9999, -1, 1.5, Number.NaN, "1", "Rating", "", null, undefined, {}, "__proto__", ["nps"]]) {
    expect(findQuestionType(wrong)).toBeUndefined();
  }
  expect(() => questionTypeOf({ type: 9999 })).toThrow("9999");
});

describe.each(questionTypes.map((type) => [type.typeName, type] as const))("%s", (name, type) => {
  test("has a default for every setting, and the defaults are accepted", () => {
    expect(
      Object.keys(type.settings.properties).filter((key) => defaultOf(type.settings.properties[key]!) === undefined),
    ).toEqual([]);
    const defaults = withDefaults(type.settings, {});
    expect(Compile(type.settings).Check(defaults)).toBe(true);
    const question = sampleQuestion(name);
    expect(type.checkSettings?.(defaults as never, question, null) ?? []).toEqual([]);
    expect(Compile(questionSchema).Check(question)).toBe(true);
    expect(JSON.parse(JSON.stringify(question))).toEqual(question);
  });

  test("defaults are not shared between questions", () => {
    const [one, other] = [sampleQuestion(name), sampleQuestion(name)];
    expect(one.typeSettings).not.toBe(other.typeSettings);
    const shared = Object.keys(one.typeSettings).filter((key) => {
      const value = one.typeSettings[key];
      return typeof value === "object" && value !== null && value === other.typeSettings[key];
    });
    expect(shared).toEqual([]);
  });
});

test("no JSON makes a check throw, and what it accepts has the documented shape", () => {
  const shapes = new Map(questionTypes.map((type) => [type.number, Compile(type.valueSchema)]));
  const evaluate = (question: Question, value: unknown) => {
    const type = questionTypeOf(question);
    const violations = type.checkValue(question, value);
    for (const { path, message } of violations) expect([typeof path, message.length > 5]).toEqual(["string", true]);
    expect(violations.length > 0 || shapes.get(type.number)?.Check(value)).toBe(true);
    expect(type.exportCells(question, value)).toHaveLength(type.exportColumns(question).length);
    type.isEmpty(value);
    type.loopItems?.(question, value);
  };
  fc.assert(
    fc.property(fc.constantFrom(...samples), anyJson, (question, value) => evaluate(question, value)),
    { numRuns: 3_000 },
  );
});

describe.each(names)("answers of %s", (name) => {
  const { question, values } = answerables[name]!;
  const type = questionTypeOf(question);

  test("are accepted, tallied in whole numbers and shaped as documented", () => {
    const shape = Compile(type.valueSchema);
    fc.assert(
      fc.property(values, (value) => {
        expect(type.checkValue(question, value)).toEqual([]);
        expect(shape.Check(value)).toBe(true);
        expect(type.checkValue(question, JSON.parse(JSON.stringify(value)))).toEqual([]);
        for (const count of Object.values(type.tally(question, value).buckets))
          expect(Number.isSafeInteger(count)).toBe(true);
      }),
    );
  });

  test("have the shape of answers to the question", () => {
    const shape = Compile(valueSchemaOf(question));
    fc.assert(
      fc.property(values, (value) => {
        expect(shape.Errors(value)).toEqual([]);
      }),
    );
    if (Object.keys(type.lists).length === 0) return;
    const unknown = ["x", ["x"], { x: 1 }, { x: "x" }, { x: { x: "x" } }, { choiceId: "x", otherText: "x" }];
    expect(unknown.filter((value) => shape.Check(value))).toEqual([]);
  });

  test("are exported as their columns declare", () => {
    const columns = type.exportColumns(question);
    let cells = 0;
    fc.assert(
      fc.property(values, (value) => {
        for (const [index, cell] of type.exportCells(question, value).entries()) {
          if (cell === null) continue;
          cells++;
          const { kind, values: entries } = columns[index]!;
          expect(typeof cell).toBe(kind === "number" ? "number" : kind === "list" ? "object" : "string");
          if (kind === "date" || kind === "time" || kind === "datetime") {
            expect(parseTimestamp(kind, cell as string)).not.toBeNull();
          }
          if (kind === "value") expect(entries.map(({ id }) => id)).toContain(cell);
        }
      }),
    );
    expect(cells).toBeGreaterThan(50);
    for (const { values: entries } of columns) {
      expect(new Set(entries.map(({ code }) => code)).size).toBe(entries.length);
    }
  });

  test("added and taken away in any order leave nothing behind", () => {
    const shuffled = fc
      .array(values, { maxLength: 20 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray([...list.keys()], { minLength: list.length })));
    fc.assert(
      fc.property(shuffled, ([list, order]) => {
        const counters = new Map<string, number>();
        let sum = 0n;
        for (const value of list) {
          const tally = type.tally(question, value);
          applyTally(counters, tally, 1);
          sum += tally.sum ?? 0n;
        }
        for (const index of order) {
          const tally = type.tally(question, list[index]);
          applyTally(counters, tally, -1);
          sum -= tally.sum ?? 0n;
        }
        expect([...counters]).toEqual([]);
        expect(sum).toBe(0n);
      }),
    );
  });

  test("replaced one by one give the same distribution as the last ones alone", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(values, values), { minLength: 1, maxLength: 10 }), (pairs) => {
        const last = statsOf(
          question,
          pairs.map(([, after]) => after),
        );
        const buckets = new Map<string, number>();
        let sum = 0n;
        for (const [before, after] of pairs) {
          const [old, now] = [type.tally(question, before), type.tally(question, after)];
          for (const change of [tallyChange(null, old), tallyChange(old, now)]) {
            applyTally(buckets, change, 1);
            sum += change.sum;
          }
        }
        expect(type.distribution(question, { ...last, buckets, sum })).toEqual(type.distribution(question, last));
      }),
    );
  });
});

test.each(names)("the distribution of any answers to %s has the documented shape", (name) => {
  const { question, values } = answerables[name]!;
  const type = questionTypeOf(question);
  const shape = Compile(distributionSchemas[type.distributionShape]);
  fc.assert(
    fc.property(fc.array(values, { maxLength: 20 }), (given) => {
      const distribution: unknown = JSON.parse(JSON.stringify(type.distribution(question, statsOf(question, given))));
      expect([...shape.Errors(distribution)]).toEqual([]);
    }),
  );
});

test("no counters make a distribution throw, and it is JSON", () => {
  const bucket = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "1",
      "-5",
      "99",
      "a:b",
      "a:b:c",
      "__proto__",
      "__proto__:x",
      "constructor:__proto__:y",
      "2026-01",
      "",
    ),
  );
  const stats = fc.record({
    responseCount: fc.nat(),
    buckets: fc.array(fc.tuple(bucket, fc.integer())).map((entries) => new Map(entries)),
    sum: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
    min: fc.option(fc.double({ noNaN: true })),
    max: fc.option(fc.double({ noNaN: true })),
  });
  fc.assert(
    fc.property(fc.constantFrom(...samples), stats, (question, stats) => {
      expect(() => JSON.stringify(questionTypeOf(question).distribution(question, stats))).not.toThrow();
    }),
    { numRuns: 2_000 },
  );
});

test("the number of buckets is bounded, for any numbers", () => {
  const { question } = answerables["number"]!;
  const buckets = new Set<string>();
  for (let round = 0; round < 200_000; round++) {
    const value = (((round * 7_919) % 200_003) / 200_003 - 0.5) * 10 ** (round % 18);
    if (Math.abs(value) > 1e15) continue;
    for (const key of Object.keys(questionTypeOf(question).tally(question, value).buckets)) buckets.add(key);
  }
  expect(buckets.size).toBeLessThan(2 * (200 + 90 * 14));
});

test("huge hostile values are refused with few words", () => {
  for (const question of samples) {
    for (const value of hugeValues) {
      const violations = questionTypeOf(question).checkValue(question, value);
      expect(violations.length).toBeGreaterThan(0);
      expect(violations.length).toBeLessThan(300);
      for (const { path } of violations) expect(path.length).toBeLessThan(300);
    }
  }
});

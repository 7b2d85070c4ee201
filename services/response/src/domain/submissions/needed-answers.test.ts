import { noFiles } from "./named-files.ts";
import { AppError } from "@canvass/errors";
import { settingsWithDefaults, type Question, type SurveyDefinition } from "@canvass/questions";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyAtOnce } from "../../../test/apply-at-once.ts";
import { BatchChanges } from "./batch-changes.ts";
import { neededAnswers, needsAllAnswers } from "./needed-answers.ts";
import type { RespondentState, CurrentAnswer } from "../respondents/respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";

const id = (name: string) => name.padEnd(16, "0");
const names = ["a", "b", "c", "d"];
const now = new Date("2026-03-01T12:00:00Z");

const question = (name: string, required: boolean): Question => ({
  elementId: id(name),
  questionId: id(`q${name}`),
  type: 8,
  text: name,
  helpText: null,
  typeSettings: { steps: 5, style: "number", labels: [] },
  responseValidation: { required },
});

/** Four pages of one question. Each page may have a rule that ends the survey. */
const definitions: fc.Arbitrary<SurveyDefinition> = fc
  .array(fc.record({ required: fc.boolean(), skips: fc.boolean() }), { minLength: 4, maxLength: 4 })
  .map((pages) => ({
    pages: pages.map(({ required, skips }, index) => ({
      pageId: id(`p${index}`),
      title: null,
      loop: null,
      skipLogic: skips
        ? [{ when: { elementId: id(names[0]!), operator: "equals" as const, value: 3 }, goTo: "end" as const }]
        : [],
      elements: [question(names[index]!, required)],
    })),
  }));

const answersGiven = fc.dictionary(fc.constantFrom(...names.map(id)), fc.integer({ min: 1, max: 5 }));

const bodies: fc.Arbitrary<SubmissionBody> = fc.record(
  {
    respondentId: fc.constant("r"),
    responses: fc
      .dictionary(fc.constantFrom(...names.map(id)), fc.option(fc.integer({ min: 1, max: 6 })))
      .map((answers) => Object.entries(answers).map(([elementId, value]) => ({ elementId, value }))),
    pageId: fc.constantFrom(null, id("p0"), id("p2"), id("p3")),
    metadata: fc.constantFrom({}, { complete: true }, { complete: false }),
  },
  { requiredKeys: ["respondentId", "responses"] },
);

function outcome(
  definition: SurveyDefinition,
  body: SubmissionBody,
  answers: RespondentState["answers"],
  edit: string,
  completedAt: Date | null,
) {
  const state: RespondentState = {
    workspaceId: "w",
    surveyId: "s",
    respondentId: "r",
    versionId: id("v"),
    versionNumber: 1,
    isTest: false,
    isAnonymous: false,
    hasContact: false,
    distributorId: "",
    startedAt: now,
    lastSeenAt: now,
    completedAt,
    exactStartedAt: null,
    exactSeenAt: null,
    pageId: "",
    language: "",
    fields: {},
    answerWeight: 0,
    answers,
  };
  const changes = new BatchChanges();
  const version = { versionId: id("v"), versionNumber: 1, definition };
  const settings = settingsWithDefaults({ collection: { editAfterSubmit: edit } });
  let ids = 0;
  const context = { version, settings, timeZone: "UTC", now, newId: () => `new ${(ids += 1)}`, files: noFiles };
  try {
    const { completedNow } = applyAtOnce(state, body, context, changes);
    const { respondents: _, ...rows } = changes;
    return { completedNow, completedAt: state.completedAt, pageId: state.pageId, rows };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.details };
    throw error;
  }
}

test("the answers a submission is judged by tell the same as all of them", () => {
  let taken = 0;
  fc.assert(
    fc.property(
      definitions,
      answersGiven,
      bodies,
      fc.constantFrom("always", "never", "until_complete"),
      fc.constantFrom(null, now),
      (definition, current, body, edit, completedAt) => {
        const all = Object.entries(current).map(([key, value]): [string, CurrentAnswer] => [
          key,
          { value, meta: null, submittedAt: now },
        ]);
        const keys = neededAnswers(body);
        const needed =
          keys === null || needsAllAnswers(body, definition) ? all : all.filter(([key]) => keys.includes(key));
        const evaluated = outcome(definition, body, new Map(needed), edit, completedAt);
        expect(evaluated).toEqual(outcome(definition, body, new Map(all), edit, completedAt));
        if (!("refused" in evaluated)) taken += 1;
      },
    ),
    { numRuns: 1000 },
  );
  expect(taken).toBeGreaterThan(100);
});

test("a key that no database could hold is asked for nowhere", () => {
  const responses = ["\u0000", "\ud800", id("a")].map((elementId) => ({ elementId, value: 1 }));
  expect(neededAnswers({ respondentId: "r", responses, pageId: id("p0") })).toEqual([id("a")]);
});

test.each([
  ["no page", undefined, undefined, null],
  ["said to be complete", "p0", { complete: true }, null],
  ["no page, said to go on", undefined, { complete: false }, [id("a")]],
  ["a page", "p0", undefined, [id("a")]],
  ["a page, said to be complete by something other than true", "p0", { complete: "yes" }, [id("a")]],
])("what the body tells: %s", (_name, pageId, metadata, keys) => {
  const body = { respondentId: "r", responses: [{ elementId: id("a"), value: 1 }] };
  expect(neededAnswers({ ...body, ...(pageId && { pageId }), ...(metadata && { metadata }) })).toEqual(keys);
});

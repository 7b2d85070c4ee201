import { noFiles } from "./named-files.ts";
import { AppError } from "@canvass/errors";
import { settingsWithDefaults, type Question, type SurveyDefinition } from "@canvass/questions";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyAtOnce } from "../../../test/apply-at-once.ts";
import { BatchChanges } from "./batch-changes.ts";
import { furtherAnswerKeys, ownAnswerKeys } from "./needed-answers.ts";
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

/** Four pages of one question. A page may have a rule that ends the survey, a question logic that asks earlier ones. */
const definitions: fc.Arbitrary<SurveyDefinition> = fc
  .tuple(
    fc.array(
      fc.record({ required: fc.boolean(), skips: fc.nat(4).map((at) => at === 0), logic: fc.nat(6), asks: fc.nat(2) }),
      {
        minLength: 4,
        maxLength: 4,
      },
    ),
    fc.boolean(),
  )
  .map(([pages, hasQuota]) => ({
    pages: pages.map(({ required, skips, logic, asks }, index) => ({
      pageId: id(`p${index}`),
      title: null,
      loop: null,
      skipLogic: skips ? [{ when: is(0, 3), goTo: "end" as const }] : [],
      elements: [withPickedLogic(question(names[index]!, required), logic, Math.min(asks, index - 1))],
    })),
    ...(hasQuota && { quotas: [quota] }),
  }));

const is = (at: number, value: number) => ({ elementId: id(names[at]!), operator: "equals" as const, value });
const quota = {
  quotaId: id("k"),
  name: "Quota",
  when: { not: is(1, 2) },
  limit: 1,
  onFull: "close" as const,
  message: null,
};

function withPickedLogic(asked: Question, kind: number, at: number): Question {
  if (at < 0 || kind === 0) return asked;
  const when = { not: is(at, 2) };
  if (kind === 1) return { ...asked, logic: { requiredIf: when } };
  if (kind === 2) return { ...asked, logic: { showIf: when } };
  return { ...asked, logic: { constraints: [{ must: when, message: "No." }] } };
}

const answersGiven = fc.record(Object.fromEntries(names.map((name) => [id(name), fc.integer({ min: 1, max: 5 })])), {
  requiredKeys: [],
});

const bodies: fc.Arbitrary<SubmissionBody> = fc.record(
  {
    respondentId: fc.constant("r"),
    responses: fc
      .dictionary(fc.constantFrom(...names.map(id)), fc.option(fc.integer({ min: 1, max: 6 })))
      .map((answers) => Object.entries(answers).map(([elementId, value]) => ({ elementId, value }))),
    pageId: fc.constantFrom(null, ...["p0", "p1", "p2", "p3"].map(id)),
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
  filled: number,
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
  const context = {
    version,
    settings,
    timeZone: "UTC",
    now,
    files: noFiles,
    countQuota: () => filled,
  };
  try {
    const { completedNow, fullQuota } = applyAtOnce(state, body, context, changes);
    const { respondents: _, completions, answers, ...rows } = changes;
    const stored = answers.values().map(({ answerKey, part, answer }) => [answerKey, part, answer]);
    const { completedAt, pageId } = state;
    return { completedNow, fullQuota, completedAt, pageId, completions: completions.length, stored: [...stored], rows };
  } catch (error) {
    if (error instanceof AppError) return { refused: error.details };
    throw error;
  }
}

test("validating a submission by the needed answers gives the same result as by all", () => {
  const seen = { stored: 0, partly: 0, quotaFull: 0 };
  fc.assert(
    fc.property(
      definitions,
      answersGiven,
      bodies,
      fc.constantFrom("always", "never", "until_complete"),
      fc.constantFrom(null, null, null, now),
      fc.nat(1),
      (definition, current, body, edit, completedAt, filled) => {
        const all = Object.entries(current).map(([key, value]): [string, CurrentAnswer] => [
          key,
          { value, meta: null, submittedAt: now },
        ]);
        const own = ownAnswerKeys(body);
        const further = furtherAnswerKeys(
          body,
          { completedAt },
          definition,
          definition.quotas !== undefined && filled > 0,
        );
        const keys = own && further && [...own, ...further];
        const needed = keys === null ? all : all.filter(([key]) => keys.includes(key));
        const judged = outcome(definition, body, new Map(needed), edit, completedAt, filled);
        expect(judged).toEqual(outcome(definition, body, new Map(all), edit, completedAt, filled));
        if ("refused" in judged) seen.quotaFull += Number("quotaId" in (judged.refused ?? {}));
        else {
          seen.stored += 1;
          seen.quotaFull += Number(judged.fullQuota !== undefined);
        }
        if (further?.some((key) => key in current) && needed.length < all.length) seen.partly += 1;
      },
    ),
    { numRuns: 2_000 },
  );
  expect(seen.stored).toBeGreaterThan(100);
  expect(seen.partly).toBeGreaterThan(5);
  expect(seen.quotaFull).toBeGreaterThan(10);
});

test("a key that the database cannot store is not read", () => {
  const responses = ["\u0000", "\ud800", id("a")].map((elementId) => ({ elementId, value: 1 }));
  expect(ownAnswerKeys({ respondentId: "r", responses, pageId: id("p0") })).toEqual([id("a")]);
});

test.each([
  ["no page", undefined, undefined, null],
  ["said to be complete", "p0", { complete: true }, null],
  ["no page, said to go on", undefined, { complete: false }, [id("a")]],
  ["a page", "p0", undefined, [id("a")]],
  ["a page, said to be complete by something other than true", "p0", { complete: "yes" }, [id("a")]],
])("keys that a body needs whatever the version: %s", (_name, pageId, metadata, keys) => {
  const body = { respondentId: "r", responses: [{ elementId: id("a"), value: 1 }] };
  expect(ownAnswerKeys({ ...body, ...(pageId && { pageId }), ...(metadata && { metadata }) })).toEqual(keys);
});

import { buildQuestions, settingsWithDefaults, type SurveyDefinition } from "@canvass/questions";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyAtOnce } from "../../../test/apply-at-once.ts";
import { uncountRespondent } from "../results/uncount-respondent.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { BatchChanges } from "./batch-changes.ts";
import { erasePersonalAnswers } from "./erase-answers.ts";
import { noFiles } from "./named-files.ts";

const now = new Date("2026-03-01T12:00:00Z");
let next = 0;
const newId = () => `id${String(++next).padStart(14, "0")}`;
const built = buildQuestions(
  [
    { type: "yes_no", text: "May we ask?" },
    { type: "contact_info", text: "Who are you?" },
    { type: "number", text: "How many?" },
    { type: "short_text", text: "Why?" },
  ],
  newId,
);
if ("violations" in built) throw new Error(JSON.stringify(built.violations));
const [asks, contact, number, why] = built.questions.map(({ question }) => question);
const pages = [[asks!], [contact!, number!], [why!]].map((elements, index) => ({
  pageId: `page${index}`.padEnd(16, "0"),
  title: null,
  loop: null,
  skipLogic: [] as SurveyDefinition["pages"][number]["skipLogic"],
  elements,
}));
pages[0]!.skipLogic.push({
  when: { elementId: asks!.elementId, operator: "equals", value: false },
  goTo: pages[2]!.pageId,
});
const version = { versionId: newId(), versionNumber: 1, definition: { pages } };

function respondent(): RespondentState {
  const ids = { workspaceId: "w", surveyId: "s", respondentId: newId(), versionId: version.versionId };
  const about = { versionNumber: 1, isTest: false, isAnonymous: false, hasContact: true, distributorId: "" };
  const times = { startedAt: now, lastSeenAt: now, completedAt: null, exactStartedAt: null, exactSeenAt: null };
  return { ...ids, ...about, ...times, pageId: "", language: "", fields: {}, answerWeight: 0, answers: new Map() };
}

const given = fc.record(
  {
    asks: fc.boolean(),
    contact: fc.option(fc.constant({ firstName: "Ada" })),
    number: fc.option(fc.integer({ min: 1, max: 3 })),
    why: fc.constant("so"),
    complete: fc.boolean(),
  },
  { requiredKeys: ["complete"] },
);

const editable = settingsWithDefaults({ collection: { editAfterSubmit: "always" } });

test("answers off the path are marked once the respondent has completed, and nothing is left of erased ones", () => {
  let off = 0;
  const evaluate = (steps: (typeof given extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const [state, changes] = [respondent(), new BatchChanges()];
    const elements = { asks, contact, number, why };
    for (const { complete, ...values } of steps) {
      const responses = Object.entries(values).map(([name, value]) => ({
        elementId: elements[name as keyof typeof elements]!.elementId,
        value,
      }));
      const body = { respondentId: state.respondentId, responses, metadata: { complete } };
      const context = { version, settings: editable, timeZone: "UTC", now, files: noFiles };
      applyAtOnce(state, body, context, changes);
    }
    const isSkipped = state.completedAt !== null && state.answers.get(asks!.elementId)?.value === false;
    for (const [key, { offPath = false }] of state.answers) {
      expect(offPath).toBe(isSkipped && [contact!.elementId, number!.elementId].includes(key));
      off += Number(offPath);
    }
    const stands = Object.fromEntries(
      [...changes.answers.values()].map(({ answerKey, answer }) => [
        answerKey,
        [answer.value, answer.offPath ?? false],
      ]),
    );
    const states = [...state.answers].map(([key, { value, offPath = false }]) => [key, [value, offPath]]);
    expect(stands).toEqual(Object.fromEntries(states));
    Array.from(erasePersonalAnswers(state, version.definition, changes));
    const uncounting = { definition: version.definition, timeZone: "UTC", now, anonymousMilliseconds: 0 };
    Array.from(uncountRespondent({ ...state, country: "" }, uncounting, changes));
    for (const { responses, respondents, sum } of changes.questions.values()) {
      expect([responses, respondents, sum]).toEqual([0, 0, 0n]);
    }
    const counts = [...changes.buckets.values(), ...changes.numbers.values()].filter(({ count }) => count !== 0);
    expect(counts).toEqual([]);
  };
  fc.assert(fc.property(fc.array(given, { minLength: 1, maxLength: 6 }), evaluate), { numRuns: 300 });
  expect(off).toBeGreaterThan(20);
});

test("an erased answer on which the path depended takes what it led to out of results and quotas", () => {
  const skip = { when: { elementId: contact!.elementId, operator: "not_answered" }, goTo: pages[2]!.pageId };
  const when = { elementId: number!.elementId, operator: "at_least", value: 1 };
  const definition = {
    pages: [
      { ...pages[0]!, elements: [contact!], skipLogic: [skip] },
      { ...pages[1]!, elements: [number!] },
      { ...pages[2]!, elements: [why!] },
    ],
    quotas: [{ quotaId: newId(), name: "some", when, limit: 10, onFull: "close" }],
  } as unknown as SurveyDefinition;
  const given: [typeof why, unknown][] = [
    [contact, { firstName: "Ada" }],
    [number, 2],
    [why, "so"],
  ];
  const responses = given.map(([element, value]) => ({ elementId: element!.elementId, value }));
  for (const complete of [true, false]) {
    const [state, changes] = [respondent(), new BatchChanges()];
    const context = { version: { ...version, definition }, settings: editable, timeZone: "UTC", now, files: noFiles };
    applyAtOnce(state, { respondentId: state.respondentId, responses, metadata: { complete } }, context, changes);
    const completed = () => [...changes.quotas.values()].map((quota) => quota.completed);
    expect(completed()).toEqual(complete ? [1] : []);
    Array.from(erasePersonalAnswers(state, definition, changes));
    expect(completed()).toEqual(complete ? [0] : []);
    expect(state.answers.get(number!.elementId)?.offPath ?? false).toBe(complete);
    const counted = [...changes.questions.values()].filter(({ responses: some }) => some > 0);
    const ofNumber = counted.filter((counts) => counts.question_id === number!.questionId);
    expect(ofNumber.map((counts) => counts.off_path)).toEqual([complete]);
  }
});

import { noFiles } from "./named-files.ts";
import type { AppError } from "@canvass/errors";
import { settingsWithDefaults, type Question, type SurveyDefinition } from "@canvass/questions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyAtOnce } from "../../../test/apply-at-once.ts";
import { BatchChanges } from "./batch-changes.ts";
import { keyOf, type RespondentState } from "../respondents/respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";

const id = (name: string) => name.padEnd(16, "0");
const now = new Date("2026-03-01T23:30:00Z");

function rating(name: string, required = false): Question {
  return {
    elementId: id(name),
    questionId: id(`q${name}`),
    type: 8,
    text: name,
    helpText: null,
    typeSettings: { steps: 6, style: "number", labels: [] },
    responseValidation: { required },
  };
}

function number(name: string): Question {
  const typeSettings = { min: null, max: null, decimals: null };
  return { ...rating(name), type: 3, typeSettings };
}

const page = (name: string, elements: Question[]) => ({
  pageId: id(name),
  title: null,
  loop: null,
  skipLogic: [],
  elements,
});

const definition: SurveyDefinition = {
  pages: [page("p1", [rating("a", true), number("n")]), page("p2", [rating("b", true)])],
};
const version = { versionId: id("v"), versionNumber: 1, definition };

function respondent(overrides: Partial<RespondentState> = {}): RespondentState {
  return {
    workspaceId: "w",
    surveyId: "s",
    respondentId: "r",
    versionId: version.versionId,
    versionNumber: 1,
    isTest: false,
    isAnonymous: false,
    hasContact: false,
    distributorId: "",
    startedAt: new Date(now.getTime() - 90_000),
    lastSeenAt: now,
    completedAt: null,
    exactStartedAt: null,
    exactSeenAt: null,
    pageId: "",
    language: "",
    fields: {},
    answerWeight: 0,
    answers: new Map(),
    ...overrides,
  };
}

function apply(
  state: RespondentState,
  body: Partial<SubmissionBody>,
  changes = new BatchChanges(),
  settings = settingsWithDefaults({}),
  timeZone = "UTC",
) {
  const context = { version, settings, timeZone, now, files: noFiles };
  return { ...applyAtOnce(state, { respondentId: "r", responses: [], ...body }, context, changes), changes };
}

const answer = (name: string, value: unknown) => ({ elementId: id(name), value });

test("the language of a save is recorded, and an invalid one changes nothing", () => {
  const state = respondent();
  for (const [language, recorded] of [
    [undefined, ""],
    ["de", "de"],
    ["not a language", "de"],
    [7, "de"],
    ["pt-BR", "pt-BR"],
  ] as const) {
    apply(state, { responses: [answer("a", 1)], pageId: id("p1"), metadata: { complete: false, language } });
    expect(state.language).toBe(recorded);
  }
});

describe("completion (contract 7.3)", () => {
  const both = [answer("a", 1), answer("b", 2)];
  test.each([
    ["all required, no page: completes", both, undefined, undefined, true],
    ["all required, last page: completes", both, "p2", undefined, true],
    ["all required, earlier page: goes on", both, "p1", undefined, false],
    ["all required, earlier page, said to be complete: completes", both, "p1", { complete: true }, true],
    ["one required missing: goes on", [answer("a", 1)], undefined, { complete: true }, false],
    ["said to be complete by something other than true: goes on", both, "p1", { complete: "yes" }, false],
    ["all required, no page, said to go on: goes on", both, undefined, { complete: false }, false],
    ["all required, last page, said to go on: goes on", both, "p2", { complete: false }, false],
  ])("%s", (_name, responses, pageId, metadata, completes) => {
    const { completedNow, changes } = apply(respondent(), {
      responses,
      ...(pageId && { pageId: id(pageId) }),
      ...(metadata && { metadata }),
    });
    expect(completedNow).toBe(completes);
    expect(changes.completions).toHaveLength(completes ? 1 : 0);
  });

  test("happens once, also within one batch", () => {
    const state = respondent();
    const { changes } = apply(state, { responses: both });
    const settings = settingsWithDefaults({ collection: { editAfterSubmit: "always" } });
    expect(apply(state, { responses: [answer("a", 3)] }, changes, settings).completedNow).toBe(false);
    expect(changes.completions).toHaveLength(1);
    expect([...changes.surveys.values()]).toMatchObject([{ completed: 1, completion_milliseconds: 90_000 }]);
  });

  test("a test respondent counts in no result and publishes no event; lists count its answers", () => {
    const { completedNow, changes } = apply(respondent({ isTest: true }), { responses: both });
    expect(completedNow).toBe(true);
    expect([changes.completions.length, changes.questions.size, changes.buckets.size]).toEqual([0, 0, 0]);
    const [counts] = [...changes.surveys.values()];
    expect(counts).toMatchObject({ completed: 0, completion_milliseconds: 0, test_answers: 2 });
    expect(changes.answers.size).toBe(2);
  });

  test("with full anonymity only the local day remains, in times and in texts", () => {
    const [exactStartedAt, startedAt] = [new Date(now.getTime() - 90_000), new Date("2026-03-02T00:00:00Z")];
    const times = { startedAt, lastSeenAt: startedAt, exactStartedAt, exactSeenAt: exactStartedAt };
    const state = respondent({ isAnonymous: true, ...times });
    const { changes, answers } = apply(state, { responses: both }, new BatchChanges(), undefined, "Asia/Tokyo");
    const day = "2026-03-02T00:00:00.000Z";
    expect([state.completedAt, state.startedAt, answers[0]!.submittedAt].map((at) => at!.toISOString())).toEqual([
      day,
      day,
      day,
    ]);
    expect([state.lastSeenAt.toISOString(), state.exactStartedAt, state.exactSeenAt]).toEqual([day, null, null]);
    expect(changes.completions[0]!.respondent.completedAt!.toISOString()).toBe(day);
    // Midnight in Tokyo.
    expect([...changes.slots.values()][0]!.starts_at).toBe("2026-03-01T15:00:00.000Z");
    expect([...changes.surveys.values()][0]!.completion_milliseconds).toBe(90_000);
  });

  test.each(["Asia/Tokyo", "America/Los_Angeles"])(
    "the moment of an anonymous start that an older process left counts as taken time, and goes: %s",
    (timeZone) => {
      const startedAt = new Date(now.getTime() - 90_000);
      const state = respondent({ isAnonymous: true, startedAt, lastSeenAt: startedAt });
      const { changes } = apply(state, { responses: both }, new BatchChanges(), undefined, timeZone);
      expect([...changes.surveys.values()][0]!.completion_milliseconds).toBe(90_000);
      expect(state.startedAt).toEqual(state.completedAt);
    },
  );
});

describe("refusals", () => {
  const refused = (state: RespondentState, body: Partial<SubmissionBody>, edit?: string) => {
    const changes = new BatchChanges();
    const before = structuredClone([...state.answers]);
    const settings = settingsWithDefaults(edit ? { collection: { editAfterSubmit: edit } } : {});
    const details = detailsOf(() => apply(state, body, changes, settings));
    expect([...state.answers]).toEqual(before);
    expect([changes.answers.size, changes.respondents.size]).toEqual([0, 0]);
    return details;
  };
  const detailsOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return (error as { details: Record<string, string[]> }).details;
    }
    throw new Error("was accepted");
  };

  test("every fault of every answer is named, and nothing is applied", () => {
    const details = refused(respondent(), {
      responses: [
        answer("a", 7),
        answer("zz", 1),
        { ...answer("b", "x"), type: "nps" },
        answer("a", 1),
        { ...answer("n", {}), type: 3 },
      ],
      pageId: "nowhere",
    });
    expect(Object.keys(details).sort()).toEqual([
      "pageId",
      "responses.0.value",
      "responses.1.elementId",
      "responses.2.type",
      "responses.2.value",
      "responses.3.elementId",
      "responses.4.value",
    ]);
  });

  const wrong = (count: number) => ({
    elementId: id("m"),
    value: Array.from({ length: count }, (_, n) => `wrong${n}`),
  });
  const several: Question = {
    ...rating("m"),
    type: 4,
    choices: [],
    typeSettings: { multipleAnswers: true, other: { enabled: false, label: "Other", choiceId: null }, shuffle: false },
  };
  const choosing = { ...version, definition: { pages: [page("p1", [several])] } };

  test.each([
    ["few enough faults: every answer is judged", [100, 100, 100], 3, false],
    ["too many faults in all: the rest is not judged", Array.from({ length: 500 }, () => 160), 7, true],
    ["too many faults of the last answer: nothing is left out", [100, 400, 400, 400], 4, false],
  ])("%s", (_name, counts, evaluated, stops) => {
    const body = { respondentId: "r", responses: counts.map(wrong) };
    const context = {
      version: choosing,
      settings: settingsWithDefaults({}),
      timeZone: "UTC",
      now,
      files: noFiles,
    };
    const changes = new BatchChanges();
    const details = detailsOf(() => applyAtOnce(respondent(), body, context, changes));
    const note = `have too many faults; the first ${evaluated} of ${counts.length} are judged`;
    expect(details["responses"]).toEqual(stops ? [note] : undefined);
    const answers = Object.keys(details).flatMap((path) => /^responses\.(\d+)/.exec(path)?.[1] ?? []);
    expect(new Set(answers).size).toBe(evaluated);
    expect(changes.answers.size).toBe(0);
  });

  test("a violation of an answer's shape hides no other violations", () => {
    const violations = [{ path: "responses.0.value", message: "is required" }];
    const evaluated = refused(respondent(), {
      responses: [answer("zz", undefined), { ...answer("a", 7), type: "nps" }, answer("zz", 1)],
      pageId: id("p1") + ":x",
      violations,
    });
    expect(Object.keys(evaluated).sort()).toEqual([
      "pageId",
      "responses.0.elementId",
      "responses.0.value",
      "responses.1.type",
      "responses.1.value",
      "responses.2.elementId",
    ]);
    expect(evaluated["responses.2.elementId"]).toHaveLength(2);
  });

  test("violations of the shape are reported with them, and refuse otherwise valid input", () => {
    const violations = [{ path: "responses.0.value", message: "is required" }];
    const evaluated = refused(respondent(), { responses: [null, answer("a", 7), answer("b", 1)], violations });
    expect(Object.keys(evaluated)).toEqual(["responses.0.value", "responses.1.value"]);
    expect(Object.keys(refused(respondent(), { responses: [null, answer("b", 1)], violations }))).toEqual([
      "responses.0.value",
    ]);
  });

  test.each([" 8 ", "0x8", "8.0", "Rating"])("%j is not the name of a type", (type) => {
    const details = refused(respondent(), { responses: [{ ...answer("a", 1), type }] });
    expect(Object.keys(details)).toEqual(["responses.0.type"]);
  });

  test.each([
    ["until_complete", true, true],
    ["until_complete", false, false],
    ["never", false, true],
    ["always", true, false],
  ])("with editAfterSubmit %s and completed %s a change is refused: %s", (edit, completed, isRefused) => {
    const state = respondent(completed ? { completedAt: now } : {});
    const current = { value: 1, meta: null, submittedAt: now };
    state.answers.set(id("a"), current);
    const change = () => refused(state, { responses: [answer("a", 2)] }, edit);
    if (isRefused) expect(Object.keys(change())).toEqual(["responses.0"]);
    else expect(change).toThrow("was accepted");
  });
});

test("after any submissions in any order, the counters equal a recount of the current answers", () => {
  const steps = fc.array(
    fc.record({
      who: fc.integer({ min: 0, max: 2 }),
      name: fc.constantFrom("a", "b", "n"),
      value: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(null)),
    }),
    { maxLength: 60 },
  );
  let applied = 0;
  fc.assert(
    fc.property(steps, (all) => {
      const states = [0, 1, 2].map((n) => respondent({ respondentId: `r${n}` }));
      const changes = new BatchChanges();
      const settings = settingsWithDefaults({ collection: { editAfterSubmit: "always" } });
      for (const { who, name, value } of all) {
        try {
          apply(states[who]!, { responses: [answer(name, value)] }, changes, settings);
          applied += 1;
        } catch (error) {
          // The only possible violation: a completed respondent takes back a required answer.
          expect((error as AppError).details).toEqual({ "responses.0": [expect.stringContaining("taken back")] });
        }
      }
      for (const { completedAt, answers } of states) {
        if (completedAt) expect(answers.has(id("a")) && answers.has(id("b"))).toBe(true);
      }
      for (const name of ["a", "b", "n"]) {
        const current = states.flatMap((state) => state.answers.get(id(name)) ?? []);
        const counts = [...changes.questions.values()].find((row) => row.question_id === id(`q${name}`));
        expect(counts?.responses ?? 0).toBe(current.length);
        expect(counts?.respondents ?? 0).toBe(current.length);
        const buckets = [...changes.buckets.values()].filter((row) => row.question_id === id(`q${name}`));
        expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(current.length);
        if (name === "n") {
          const sum = current.reduce((total, { value }) => total + (value as number), 0);
          expect(counts?.sum ?? 0n).toBe(BigInt(sum) * 1_000_000_000n);
        }
      }
      for (const state of states) {
        const stored = [...changes.answers.values()].filter(({ respondent }) => respondent === state);
        expect(stored.map(({ answerKey }) => answerKey).sort()).toEqual([...state.answers.keys()].sort());
        if (state.answers.size > 0) expect(changes.respondents.has(keyOf(state))).toBe(true);
      }
    }),
  );
  expect(applied).toBeGreaterThan(200);
});

import { completion } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import type { Survey } from "@canvass/proto/survey";
import { callOptions } from "@canvass/rpc";
import { question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

test("each reference gets its own result or error, in order, and none spoils another", async () => {
  const [mine, other] = [await fixture.create({ name: "Mine" }), await fixture.create({ name: "Other" })];
  const me = signedPerson();
  const stranger = signedPerson({ workspaceId: "workspace0000002" });
  const surveys = [
    { caller: me, surveyId: mine.surveyId },
    { caller: `${me}x`, surveyId: mine.surveyId },
    { caller: stranger, surveyId: mine.surveyId },
    { caller: me, surveyId: "0000000000000000" },
    { caller: me, surveyId: "\0" },
    { caller: me, surveyId: "' OR 1=1 --" },
    { caller: me, surveyId: "x".repeat(100_000) },
    { caller: me, surveyId: other.surveyId },
    { caller: me, surveyId: mine.surveyId },
  ];
  const { results } = await fixture.client.batchGetSurveys({ surveys });
  expect(results.map(({ outcome }) => (outcome.case === "survey" ? outcome.value.name : outcome.value?.code))).toEqual([
    "Mine",
    "unauthorized",
    "survey_not_found",
    "survey_not_found",
    "survey_not_found",
    "survey_not_found",
    "survey_not_found",
    "Other",
    "Mine",
  ]);
  expect(results[2]).toEqual(results[3]);
});

test("two workspaces in one batch each read their own", async () => {
  const callers = ["workspace0000003", "workspace0000004"].map((workspaceId) => signedPerson({ workspaceId }));
  const created = await Promise.all(
    callers.map((signedCaller, index) => fixture.create({ name: `W${index}` }, { signedCaller })),
  );
  const surveys = callers.flatMap((caller) => created.map(({ surveyId }) => ({ caller, surveyId })));
  const { results } = await fixture.client.batchGetSurveys({ surveys });
  expect(results.map(({ outcome }) => outcome.case)).toEqual(["survey", "error", "error", "survey"]);
});

test("one call reads up to five hundred surveys, also none; more are refused", async () => {
  const { surveyId } = await fixture.create({ name: "Many" });
  const caller = signedPerson();
  const batch = (size: number) => ({ surveys: Array.from({ length: size }, () => ({ caller, surveyId })) });
  const { results } = await fixture.client.batchGetSurveys(batch(500));
  expect(results.every(({ outcome }) => outcome.case === "survey")).toBe(true);
  expect(await refusal(fixture.client.batchGetSurveys(batch(501)))).toMatchObject({ code: "invalid_request" });
  expect((await fixture.client.batchGetSurveys({})).results).toEqual([]);
});

test("a change is read at once", async () => {
  const created = await fixture.create({ name: "v1" });
  for (let version = 2; version < 6; version += 1) {
    const updated = await fixture.patch(created.surveyId, "*", { name: `v${version}` });
    expect(await fixture.read(created.surveyId)).toEqual(updated);
  }
});

/** Returns a function that reads as a gateway does, which caches the last result. */
function cachingReader(surveyId: string) {
  let held: { survey: Survey; state: string } | undefined;
  return async () => {
    const heldState = held?.state ?? "";
    const { results } = await fixture.client.batchGetSurveys({
      surveys: [{ caller: signedPerson(), surveyId, heldState }],
    });
    const { outcome, state, unchanged } = results[0]!;
    if (outcome.case === "survey") held = { survey: outcome.value, state };
    return { unchanged, survey: held!.survey };
  };
}

test("readers see any change of a survey at once, and unchanged data is not sent again", async () => {
  const { surveyId } = await fixture.create({ name: "Held" });
  const read = cachingReader(surveyId);
  expect((await read()).unchanged).toBe(false);
  const added: string[] = [];
  let backupId = "";
  const person = callOptions({ signedCaller: signedPerson() });
  const changes: (() => Promise<unknown>)[] = [
    () => fixture.patch(surveyId, "*", { name: "Renamed" }),
    () => fixture.patch(surveyId, "*", { description: "Described", language: "de", type: 2 }),
    () => fixture.patch(surveyId, "*", { settings: { access: { password: "a long password" } } }),
    async () => {
      const questions = ["One", "Two"].map((text) => question(text));
      added.push(...(await fixture.add(surveyId, { questions })).map(({ elementId }) => elementId));
    },
    () => fixture.publish(surveyId),
    () =>
      fixture.edit(added[0]!, {
        edit: "settings",
        body: { settings: {}, questionText: "Another" },
      }),
    async () => {
      const { backup } = await fixture.client.createBackup({ surveyId }, person);
      backupId = backup!.backupId;
      await fixture.remove(added[1]!);
    },
    () => fixture.client.restoreBackup({ surveyId, backupId, ifMatch: ["*"] }, person),
    () => fixture.handOver([completion("workspace0000001", new Date(), surveyId)], "response-counts"),
    // Bypasses the service, as a migration or an operator would.
    () => fixture.sql("UPDATE surveys SET active = NOT active WHERE survey_id = $1", [surveyId]),
  ];
  for (const change of changes) {
    await change();
    const now = await fixture.read(surveyId);
    expect(await read()).toEqual({ unchanged: false, survey: now });
    expect(await read()).toEqual({ unchanged: true, survey: now });
  }
});

test("the state of another workspace's survey gets an error, and an unknown state the whole survey", async () => {
  const { surveyId } = await fixture.create({ name: "Mine" });
  const { results } = await fixture.client.batchGetSurveys({ surveys: [{ caller: signedPerson(), surveyId }] });
  const { state } = results[0]!;
  const stranger = signedPerson({ workspaceId: "workspace0000002" });
  const surveys = [
    { caller: stranger, surveyId, heldState: state },
    { caller: signedPerson(), surveyId, heldState: "x" },
    { caller: signedPerson(), surveyId, heldState: state },
    { caller: signedPerson(), surveyId },
    { caller: "", surveyId, heldState: state },
  ];
  const { results: read } = await fixture.client.batchGetSurveys({ surveys });
  const told = read.map(({ outcome, unchanged }) => (unchanged ? "unchanged" : outcome.case));
  expect(told).toEqual(["error", "survey", "unchanged", "survey", "error"]);
});

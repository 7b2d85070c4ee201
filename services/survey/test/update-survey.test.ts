import { verifyPassword } from "@canvass/access";
import { callOptions, type CallContext } from "@canvass/rpc";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import type { JsonObject } from "@canvass/values";
import { expect, test } from "vitest";
import { idempotent, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

test("only given fields change, and the tag with them", async () => {
  const created = await fixture.create({ name: "Old", description: "kept", settings: { display: { theme: "dark" } } });
  const updated = await fixture.patch(created.surveyId, created.etag, {
    name: "New",
    settings: { navigation: { showPrevious: false } },
  });
  expect(updated).toMatchObject({ name: "New", description: "kept" });
  expect(JSON.parse(updated.settingsJson)).toMatchObject({
    display: { theme: "dark" },
    navigation: { showPrevious: false },
  });
  expect(updated.etag).not.toBe(created.etag);
  expect(await fixture.read(created.surveyId)).toEqual(updated);
});

test("settings that were read can be sent back, with and without a password", async () => {
  for (const access of [{ password: "open sesame" }, {}]) {
    const { surveyId, settingsJson } = await fixture.create({ name: "Same", settings: { access } });
    const hash = () =>
      fixture.sql("SELECT settings -> 'access' AS access FROM surveys WHERE survey_id = $1", [surveyId]);
    const [before] = await hash();
    const updated = await fixture.patch(surveyId, "*", { settings: JSON.parse(settingsJson) });
    expect(updated.settingsJson).toBe(settingsJson);
    const [after] = await hash();
    expect((after!["access"] as JsonObject)["password"]).toEqual(
      (before!["access"] as JsonObject | null)?.["password"],
    );
  }
  const none = { name: "None", settings: { access: { password: true } } };
  expect((await refusal(fixture.create(none))).details).toEqual({ "settings.access.password": [expect.any(String)] });
});

test("a stale tag is refused and nothing is written; * and a list holding the tag go through", async () => {
  const created = await fixture.create({ name: "Old" });
  const updated = await fixture.patch(created.surveyId, created.etag, { name: "New" });
  expect(await refusal(fixture.patch(created.surveyId, created.etag, { name: "Stale" }))).toMatchObject({
    code: "precondition_failed",
  });
  expect(await refusal(fixture.patch(created.surveyId, `W/${updated.etag}`, { name: "Weak" }))).toMatchObject({
    code: "precondition_failed",
  });
  expect(await fixture.read(created.surveyId)).toEqual(updated);
  await fixture.patch(created.surveyId, "*", { name: "Any" });
  const { etag } = await fixture.read(created.surveyId);
  const request = { surveyId: created.surveyId, ifMatch: ['"0"', etag], bodyJson: '{"name":"Listed"}' };
  const { survey } = await fixture.client.updateSurvey(request, callOptions({ signedCaller: signedPerson() }));
  expect(survey?.name).toBe("Listed");
});

test("violations of a patch that do not depend on the survey are reported before a missing or foreign survey", async () => {
  const { surveyId } = await fixture.create({
    name: "Old",
    settings: { schedule: { opensAt: "2026-02-01T00:00:00Z" } },
  });
  const patch = {
    name: 5,
    active: 1,
    settings: { display: { glitter: 1 }, schedule: { closesAt: "2026-01-01T00:00:00Z" } },
  };
  const violations = ["name", "settings.display.glitter"];
  for (const [id, tag] of [
    ["0000000000000000", "*"],
    ["no-id", "*"],
    [surveyId, '"stale"'],
  ] as const) {
    const error = await refusal(fixture.patch(id, tag, patch));
    expect(error).toMatchObject({ code: "validation_failed" });
    expect(Object.keys(error.details)).toEqual(violations);
  }
  const { details } = await refusal(fixture.patch(surveyId, "*", patch));
  expect(Object.keys(details).sort()).toEqual(["active", ...violations, "settings.schedule.closesAt"].sort());
});

test.each([
  [{}, "body"],
  [{ settings: {} }, "settings"],
  [{ settings: { display: {}, access: {} } }, "settings"],
])("a patch without updates says what is missing: %j", async (patch, place) => {
  const { surveyId } = await fixture.create({ name: "Old" });
  const error = await refusal(fixture.patch(surveyId, "*", patch));
  const message = place === "body" ? /name, description,.* settings/ : /settings\.display\.progressStyle/;
  expect(error).toMatchObject({ code: "invalid_request", details: { [place]: [expect.stringMatching(message)] } });
});

test("without any If-Match nothing is written", async () => {
  const { surveyId } = await fixture.create({ name: "Old" });
  const request = { surveyId, ifMatch: [], bodyJson: '{"name":"New"}' };
  const call = fixture.client.updateSurvey(request, callOptions({ signedCaller: signedPerson() }));
  expect(await refusal(call)).toMatchObject({ code: "precondition_required" });
  expect((await fixture.read(surveyId)).name).toBe("Old");
});

test("of twenty who write with one tag at once exactly one wins", async () => {
  const created = await fixture.create({ name: "Race" });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => fixture.patch(created.surveyId, created.etag, { name: `Race ${index}` })),
  );
  const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
  expect(won).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "precondition_failed" });
  }
  expect(await fixture.read(created.surveyId)).toEqual(won[0]!.value);
});

test("twenty who write with * at once all win, and no change is lost", async () => {
  const created = await fixture.create({ name: "Race" });
  const keys = ["buttonNext", "buttonPrevious", "buttonDone"];
  const updated = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const settings = { navigation: { [keys[index % 3]!]: `label ${index % 3}` } };
      return fixture.patch(created.surveyId, "*", { settings });
    }),
  );
  expect(new Set(updated.map(({ etag }) => etag)).size).toBe(20);
  expect(JSON.parse((await fixture.read(created.surveyId)).settingsJson)).toMatchObject({
    navigation: { buttonNext: "label 0", buttonPrevious: "label 1", buttonDone: "label 2" },
  });
});

test("checks come in their order: body, its shape, existence, tag, violations, plan", async () => {
  const signedCaller = signedPerson({ plan: "free" });
  const created = await fixture.create({ name: "Order" });
  const locked = { settings: { privacy: { anonymity: "full" } } };
  const misshapen = { ...locked, type: "form" };
  const wrong = { ...locked, active: 1 };
  const codeOf = async (surveyId: string, tag: string, body: object) =>
    (await refusal(fixture.patch(surveyId, tag, body, { signedCaller }))).code;
  expect(await codeOf("0000000000000000", '"0"', {})).toBe("invalid_request");
  expect(await codeOf("0000000000000000", '"0"', misshapen)).toBe("validation_failed");
  expect(await codeOf("0000000000000000", '"0"', wrong)).toBe("survey_not_found");
  expect(await codeOf(created.surveyId, '"0"', wrong)).toBe("precondition_failed");
  expect(await codeOf(created.surveyId, created.etag, wrong)).toBe("validation_failed");
  expect(await codeOf(created.surveyId, created.etag, locked)).toBe("feature_locked");
  expect(await fixture.read(created.surveyId)).toEqual(created);
});

test("all violations are in one response, and the whole patch is refused with them", async () => {
  const created = await fixture.create({ name: "Faults" });
  const patch = { name: "Fine", active: 1, settings: { display: { progressStyle: "spiral", theme: "dark", nope: 1 } } };
  const { code, details } = await refusal(fixture.patch(created.surveyId, created.etag, patch));
  expect(code).toBe("validation_failed");
  expect(Object.keys(details)).toEqual(["active", "settings.display.progressStyle", "settings.display.nope"]);
  expect(String(details["settings.display.nope"])).toContain("settings.navigation.showPrevious");
  expect(await fixture.read(created.surveyId)).toEqual(created);
});

test("a patch may repeat the present `active`, and may not change it", async () => {
  const { surveyId } = await fixture.create({ name: "Active", questions: [{ type: 7, text: "?" }] });
  await fixture.patch(surveyId, "*", { active: 0 });
  expect((await refusal(fixture.patch(surveyId, "*", { active: 1 }))).details).toHaveProperty("active");
  await fixture.publish(surveyId);
  await fixture.patch(surveyId, "*", { active: 1 });
  expect((await refusal(fixture.patch(surveyId, "*", { active: 0 }))).details).toHaveProperty("active");
});

test("a password is set, kept by other patches, and unset, and never shows", async () => {
  const { surveyId } = await fixture.create({ name: "Password" });
  const stored = async () => {
    const text = "SELECT settings->'access'->>'password' AS password FROM surveys WHERE survey_id = $1";
    return (await fixture.sql<{ password: string | null }>(text, [surveyId]))[0]!.password;
  };
  const shown = async () => (JSON.parse((await fixture.read(surveyId)).settingsJson) as { access: object }).access;
  await fixture.patch(surveyId, "*", { settings: { access: { password: "open sesame" } } });
  await fixture.patch(surveyId, "*", { settings: { access: { inviteOnly: true } } });
  expect(await verifyPassword("open sesame", (await stored())!)).toBe(true);
  expect(await shown()).toMatchObject({ password: true, inviteOnly: true });
  await fixture.patch(surveyId, "*", { settings: { access: { password: null } } });
  expect(await stored()).toBeNull();
  expect(await shown()).toMatchObject({ password: false, inviteOnly: true });
});

test("privacy is fixed once somebody has answered the survey, which the response service knows", async () => {
  const { surveyId } = await fixture.create({ name: "Privacy" });
  await fixture.patch(surveyId, "*", { settings: { privacy: { anonymity: "partial" } } });
  fixture.answered.add(surveyId);
  const change = fixture.patch(surveyId, "*", { settings: { privacy: { anonymity: "none" } } });
  expect((await refusal(change)).details).toHaveProperty(["settings.privacy.anonymity"]);
  await fixture.patch(surveyId, "*", { settings: { privacy: { anonymity: "partial" }, display: { theme: "dark" } } });
});

test("privacy is changed while answers are held off, so an answer that comes before that refuses the change", async () => {
  await using alone = await startSurveyFixture();
  const { surveyId } = await alone.create({ name: "Held" });
  const change = (anonymity: string) => alone.patch(surveyId, "*", { settings: { privacy: { anonymity } } });
  let holds = 0;
  alone.holding.before = async () => {
    holds += 1;
    // A change beside this one ends the hold, so there is another.
    if (holds === 1) await alone.patch(surveyId, "*", { name: "Renamed" });
  };
  await change("partial");
  expect(holds).toBe(2);
  await change("partial");
  expect(holds).toBe(2);
  alone.holding.before = async () => void alone.answered.add(surveyId);
  expect((await refusal(change("none"))).details).toHaveProperty(["settings.privacy.anonymity"]);
  const { settingsJson } = await alone.read(surveyId);
  expect(JSON.parse(settingsJson)).toMatchObject({ privacy: { anonymity: "partial" } });
});

test("without the response service privacy cannot be changed, other settings are stored and not in effect yet", async () => {
  await using alone = await startSurveyFixture();
  const { surveyId } = await alone.create({ name: "Alone" });
  await alone.stopResponseService();
  const change = alone.patch(surveyId, "*", { settings: { privacy: { anonymity: "full" } } });
  expect((await refusal(change)).code).toBe("service_unavailable");
  const dark = { settings: { display: { theme: "dark" } } };
  expect(await refusal(alone.patch(surveyId, "*", dark))).toEqual({
    code: "service_unavailable",
    details: { part: "response" },
  });
  expect(JSON.parse((await alone.read(surveyId)).settingsJson)).toMatchObject(dark.settings);
  await alone.patch(surveyId, "*", { name: "Alone still" });
});

test("a repeated patch is answered as before although its tag is stale by then", async () => {
  const created = await fixture.create({ name: "Old" });
  const body = { name: "New" };
  const updated = await fixture.patch(created.surveyId, created.etag, body, idempotent("patch-1", body).context);
  await fixture.patch(created.surveyId, "*", { name: "Later" });
  const again = idempotent("patch-1", body);
  expect(await fixture.patch(created.surveyId, created.etag, body, again.context)).toEqual(updated);
  expect(again.replays).toHaveLength(1);
  expect((await fixture.read(created.surveyId)).name).toBe("Later");
});

test("a change of how a survey collects is answered once the response service has it, also when it is repeated", async () => {
  // The clock stands still, so that the outbox of this service hands nothing over by itself.
  await using alone = await startSurveyFixture({ now: () => new Date("2026-03-01T12:00:00Z") });
  const { surveyId } = await alone.create({ name: "Repeated", questions: [{ type: 7, text: "?" }] });
  const { intake } = alone;
  const bodies = [
    { settings: { privacy: { anonymity: "partial" } } },
    { settings: { collection: { responseLimit: 3 } } },
    {},
  ];
  const changes: ((context: CallContext) => Promise<unknown>)[] = [
    (context) => alone.patch(surveyId, "*", bodies[0], context),
    (context) => alone.patch(surveyId, "*", bodies[1], context),
    (context) => alone.publish(surveyId, "*", context),
  ];
  const notYet = { code: "service_unavailable", details: { part: "response" } };
  for (const [index, change] of changes.entries()) {
    const keyed = () => change(idempotent(`change-${index}`, bodies[index]).context);
    intake.isAway = true;
    try {
      expect(await refusal(keyed())).toEqual(notYet);
      expect(await refusal(keyed())).toEqual(notYet);
    } finally {
      intake.isAway = false;
    }
    // A lost push is brought by the outbox.
    const records = await alone.sql("SELECT 1 FROM idempotency_records WHERE key = $1", [`change-${index}`]);
    expect(records).toHaveLength(1);
    expect(await alone.sql("SELECT 1 FROM outbox_events WHERE type = 'collecting.changed'")).toHaveLength(index + 1);
    await keyed();
  }
  const pushed = intake.taken.flatMap(({ event: { body } }) => {
    if (body.case !== "collectingChanged" || body.value.change.case !== "survey") return [];
    return [body.value.change.value.collection!];
  });
  expect(pushed).toHaveLength(3);
  const { revision, active, settingsJson } = pushed[2]!;
  expect({ revision, active }).toEqual({ revision: 4n, active: true });
  expect(JSON.parse(settingsJson)).toMatchObject({
    privacy: { anonymity: "partial" },
    collection: { responseLimit: 3 },
  });
});

test("a change that lets a survey collect as before needs no other service", async () => {
  const { surveyId } = await fixture.create({ name: "Named" });
  const { calls } = fixture.intake;
  fixture.intake.isAway = true;
  try {
    expect((await fixture.patch(surveyId, "*", { name: "Otherwise" })).name).toBe("Otherwise");
  } finally {
    fixture.intake.isAway = false;
  }
  expect(fixture.intake.calls).toBe(calls);
});

test("a repeated patch or publication does not ask again whether there are answers", async () => {
  await using alone = await startSurveyFixture();
  const { surveyId } = await alone.create({ name: "Alone", questions: [{ type: 7, text: "?" }] });
  const body = { settings: { privacy: { anonymity: "partial" } } };
  const published = await alone.publish(surveyId, "*", idempotent("publish-1", {}).context);
  const updated = await alone.patch(surveyId, "*", body, idempotent("patch-1", body).context);
  const { hasResponses } = alone.asked;
  const again = idempotent("patch-1", body);
  const publishedAgain = idempotent("publish-1", {});
  for (let repetition = 0; repetition < 5; repetition += 1) {
    expect(await alone.patch(surveyId, "*", body, again.context)).toEqual(updated);
    expect(await alone.publish(surveyId, "*", publishedAgain.context)).toEqual(published);
  }
  expect(again.replays).toHaveLength(5);
  expect(publishedAgain.replays).toHaveLength(5);
  expect(alone.asked.hasResponses).toBe(hasResponses);
  await alone.stopResponseService();
  const other = { settings: { privacy: { anonymity: "none" } } };
  const reused = alone.patch(surveyId, "*", other, idempotent("patch-1", other).context);
  expect((await refusal(reused)).code).toBe("idempotency_key_reused");
  const fresh = alone.patch(surveyId, "*", other, idempotent("patch-2", other).context);
  expect((await refusal(fresh)).code).toBe("service_unavailable");
});

test("for another workspace the survey looks like one that does not exist", async () => {
  const { surveyId } = await fixture.create({ name: "Mine" });
  const signedCaller = signedPerson({ workspaceId: "workspace0000002" });
  const foreign = await refusal(fixture.patch(surveyId, "*", { name: "Theirs" }, { signedCaller }));
  const absent = await refusal(fixture.patch("0000000000000000", "*", { name: "Theirs" }, { signedCaller }));
  expect(foreign).toEqual({ code: "survey_not_found", details: {} });
  expect(foreign).toEqual(absent);
  expect((await fixture.read(surveyId)).name).toBe("Mine");
});

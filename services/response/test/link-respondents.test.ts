import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Quota } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { refusal } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import { surveyId, testId } from "./harness.ts";
import { timestampAt, deleteLink, dropContact, testCode } from "./link-double.ts";
import { answer, distributorId, finished, firstPage, startLinkHarness, type Guest } from "./link-harness.ts";

const harness = await sharedByFile(startLinkHarness());
beforeEach(async () => {
  Object.assign(harness.survey, { found: true, active: true, versionNumber: 1, settings: {}, password: "" });
  harness.survey.languages = new Set();
  harness.links.links.clear();
  harness.links.passwords.clear();
  harness.clock.set(new Date("2026-03-01T10:00:00Z"));
  await harness.pool.query(
    "TRUNCATE collecting_surveys, collecting_links, gone_contacts, respondents, answer_sets, survey_counters, distributor_counters, used_links, quota_counters, idempotency_records, outbox_events",
  );
});

const notCollecting = (reason: string) => ({ code: "survey_not_collecting", details: { reason } });
const person = (fields: object = {}) => ({ type: "single_use_link", linkId: testId("one"), ...fields });

describe("a respondent of a link", () => {
  test("starts, answers page by page, reads its own state, and completes; the distributor's figures follow", async () => {
    const code = harness.addLink("shared");
    const started = await harness.start(code, { language: "de", metadataJson: '{"table":12}', country: "DE" });
    expect(started).toMatchObject({ workspaceId: "workspace1000000", versionId: testId("version1") });
    expect(started.respondent).toMatchObject({ surveyId, status: "started", distributorId, language: "de" });
    const { respondentId } = started.respondent!;
    const came = { code, respondentId, sessionToken: started.sessionToken };
    expect(await harness.answer(came, firstPage)).toEqual({ code: "started" });
    const { respondent, versionId } = await harness.read(came);
    expect(versionId).toBe(testId("version1"));
    expect(respondent).toMatchObject({ status: "started", pageId: testId("page1"), percentComplete: 50 });
    expect(respondent!.answers.map(({ elementId, valueJson }) => [elementId, valueJson])).toEqual([[testId("a"), "2"]]);
    expect(await harness.results()).toEqual({ started: 1, completed: 0 });
    expect(await harness.answer(came, finished)).toEqual({ code: "completed" });
    expect(await harness.results()).toEqual({ started: 1, completed: 1 });
  });

  test("keeps the seed of its orders; a personal link continues with it, and with anonymity none is stored", async () => {
    const start = (code: string, orderSeed: number) => harness.start(code, { bodyJson: JSON.stringify({ orderSeed }) });
    const shared = harness.addLink("shared");
    expect((await start(shared, 7)).respondent!.orderSeed).toBe(7);
    const code = harness.addLink("own", { type: "personal_link", linkId: testId("one") });
    const { sessionToken, respondent } = await start(code, 8);
    const again = await start(code, 9);
    expect([respondent!.orderSeed, again.respondent!.orderSeed]).toEqual([8, 8]);
    const came = { code, sessionToken, respondentId: respondent!.respondentId };
    expect((await harness.read(came)).respondent!.orderSeed).toBe(8);
    harness.survey.settings = { privacy: { anonymity: "partial" } };
    const hidden = harness.addLink("hidden", { type: "personal_link", linkId: testId("two") });
    expect((await start(hidden, 8)).respondent!.orderSeed).toBe(0);
    expect((await start(shared, 8)).respondent!.orderSeed).toBe(8);
  });

  test("is validated like one of the API: all violations, nothing written, and no respondent from its body", async () => {
    const came = await harness.startGuest(harness.addLink("shared"));
    const body = { responses: [answer("a", 99), answer("zz", 1)], respondentId: "other", extra: 1 };
    const { code, details } = (await harness.answer(came, body)) as { code: string; details: object };
    expect(code).toBe("validation_failed");
    expect(Object.keys(details).sort()).toEqual(
      ["extra", "respondentId", "responses.0.value", "responses.1.elementId"].sort(),
    );
    expect((await harness.read(came)).respondent!.answers).toEqual([]);
  });

  test("is answered as before when it repeats itself with its key, without a secret on record", async () => {
    const code = harness.addLink("shared");
    const fields = { key: "s1", language: "de", metadataJson: '{"seat":"okapi"}' };
    const first = await harness.start(code, fields);
    const again = await harness.start(code, fields);
    // What callers are told; the record holds nothing personal of the respondent.
    const told = ({ respondent, sessionToken, versionId, workspaceId }: typeof first) => [
      respondent?.respondentId,
      respondent?.surveyId,
      respondent?.startedAt,
      sessionToken,
      versionId,
      workspaceId,
    ];
    expect(told(again)).toEqual(told(first));
    expect(again.replay).toMatchObject({ requestId: "first-s1" });
    expect(await refusal(harness.start(code, { key: "s1", language: "fr" }))).toMatchObject({
      code: "idempotency_key_reused",
    });
    const { rows } = await harness.pool.query("SELECT encode(response, 'escape') AS response FROM idempotency_records");
    expect(rows[0].response).not.toContain(first.sessionToken.split(".")[1]);
    expect(rows[0].response).not.toContain("okapi");

    harness.addLink("shared", { status: "paused" });
    expect(told(await harness.start(code, fields))).toEqual(told(first));
    harness.addLink("shared");
    const came = { code, respondentId: first.respondent!.respondentId, sessionToken: first.sessionToken };
    expect(await harness.answer(came, firstPage, { key: "a1" })).toEqual({ code: "started" });
    harness.addLink("shared", { status: "closed" });
    expect(await harness.answer(came, firstPage, { key: "a1" })).toEqual({ code: "started", replayOf: "first-a1" });
    expect(await harness.answer(came, finished, { key: "a1" })).toMatchObject({ code: "idempotency_key_reused" });
  });

  test("keeps the version it started on, and is gone when it was erased", async () => {
    const came = await harness.startGuest(harness.addLink("shared"));
    harness.survey.versions.set(2, { pages: [] });
    harness.survey.versionNumber = 2;
    expect((await harness.read(came)).versionId).toBe(testId("version1"));
    const options = callOptions({ signedCaller: harness.signed() });
    await harness.client.eraseRespondent({ surveyId, respondentId: came.respondentId }, options);
    expect(await refusal(harness.read(came))).toMatchObject({ code: "respondent_not_found" });
    expect(await harness.answer(came, firstPage)).toMatchObject({ code: "respondent_not_found" });
    expect(await harness.results()).toEqual({ started: 0, completed: 0 });
  });
});

describe("a full quota", () => {
  const when = (value: number) => ({ elementId: testId("a"), operator: "equals" as const, value });
  const quota = (name: string, value: number, onFull: Quota["onFull"]) => ({
    quotaId: testId(name),
    name,
    when: when(value),
    limit: 1,
    onFull,
    message: `Full: ${name}.`,
    translations: { de: { message: { text: `Voll: ${name}.`, source: "" } } },
  });

  test("is part of a respondent's state while it blocks completion, in the requested language", async () => {
    const { survey } = harness;
    survey.versions.set(3, {
      ...survey.versions.get(1)!,
      quotas: [quota("told", 2, "message"), quota("ended", 3, "end")],
    });
    Object.assign(survey, { versionNumber: 3, languages: new Set(["de"]) });
    const code = harness.addLink("shared");
    const closing = async (came: Guest, language = "") => (await harness.read(came, language)).quotaFull;
    const [first, second] = [await harness.startGuest(code), await harness.startGuest(code, { language: "de" })];
    expect(await harness.answer(second, firstPage)).toEqual({ code: "started" });
    expect(await closing(second)).toBeUndefined();
    expect(await harness.answer(first, { responses: [answer("a", 2), answer("b", 1)] })).toEqual({ code: "completed" });
    expect(await closing(first)).toBeUndefined();
    expect(await closing(second)).toMatchObject({ name: "told", onFull: "message", message: "Voll: told." });
    expect(await closing(second, "fr")).toMatchObject({ quotaId: testId("told"), message: "Full: told." });
    expect(await harness.answer(second, { responses: [answer("a", 4)], pageId: testId("page1") })).toEqual({
      code: "started",
    });
    expect(await closing(second)).toBeUndefined();

    await harness.answer(await harness.startGuest(code), finished);
    const ended = await harness.startGuest(code);
    expect(await harness.answer(ended, finished)).toEqual({ code: "screened_out" });
    expect(await closing(ended)).toMatchObject({ name: "ended", onFull: "end", message: "Full: ended." });
  });
});

describe("a session", () => {
  test("opens nothing but its own respondent at its own code", async () => {
    const [one, other] = [
      await harness.startGuest(harness.addLink("one")),
      await harness.startGuest(harness.addLink("two")),
    ];
    const wrong = [
      { ...one, sessionToken: other.sessionToken },
      { ...one, respondentId: other.respondentId },
      { ...one, code: other.code },
      { ...one, code: "absent" },
      { ...one, sessionToken: `${one.sessionToken}A` },
      { ...one, sessionToken: one.sessionToken.replace(/^[^.]+/, "workspace2000000") },
      { ...one, sessionToken: one.sessionToken.slice(0, -2) },
      { ...one, sessionToken: "." },
      { ...one, sessionToken: "x".repeat(100_000) },
    ];
    const asked = harness.links.asked;
    for (const came of wrong) {
      expect(await refusal(harness.read(came))).toMatchObject({ code: "invalid_token" });
      expect(await harness.answer(came, firstPage)).toMatchObject({ code: "invalid_token" });
    }
    expect(await refusal(harness.read({ ...one, sessionToken: "" }))).toMatchObject({ code: "invalid_token" });
    expect(await harness.answer({ ...one, sessionToken: "" }, firstPage)).toMatchObject({ code: "unauthorized" });
    expect(harness.links.asked).toBe(asked);
    expect((await harness.read(other)).respondent!.answers).toEqual([]);
  });

  test("has a token of at least 128 random bits, another for each start", async () => {
    const code = harness.addLink("shared");
    const [one, two] = [await harness.startGuest(code), await harness.startGuest(code)];
    expect(one.sessionToken).not.toBe(two.sessionToken);
    const parts = (token: string) => JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString("utf8", 16));
    expect(Buffer.from(parts(one.sessionToken).at(-1), "base64url")).toHaveLength(16);
  });
});

describe("a link that does not collect", () => {
  test.each([
    ["link_paused", { status: "paused" }],
    ["link_closed", { status: "closed" }],
    ["link_closed", { status: "of a newer program" }],
    ["link_not_open_yet", { opensAt: timestampAt("2026-03-01T10:00:01Z") }],
    ["link_closed", { closesAt: timestampAt("2026-03-01T10:00:00Z") }],
  ])("takes nobody, and nothing more of those who had begun, at once: %s %o", async (reason, change) => {
    const code = harness.addLink("shared");
    const begun = await harness.startGuest(code);
    const options = callOptions({ signedCaller: harness.signed() });
    const { respondent } = await harness.client.startRespondent({ surveyId, distributorId }, options);
    const ofApi = { respondentId: respondent!.respondentId, ...firstPage };
    expect((await harness.submit(ofApi)).code).toBe("submitted");
    harness.addLink("shared", change);
    expect(await refusal(harness.start(code))).toMatchObject(notCollecting(reason));
    expect(await harness.answer(begun, firstPage)).toEqual(notCollecting(reason));
    expect(await harness.submit({ ...ofApi, ...finished })).toEqual(notCollecting(reason));
    expect(await harness.results()).toEqual({ started: 2, completed: 0 });
    harness.addLink("shared");
    expect(await harness.answer(begun, finished)).toEqual({ code: "completed" });
  });

  test("missing, deleted and draft links give respondents the same 404", async () => {
    const drafted = harness.addLink("drafted", { status: "draft" });
    for (const code of ["absent", "", "\u{1f600}", "x".repeat(5_000), drafted]) {
      expect(await refusal(harness.start(code))).toMatchObject({ code: "distributor_not_found", details: {} });
    }
    const came = await harness.startGuest(harness.addLink("deleted", { distributorId: testId("deleted") }));
    deleteLink(harness.links, testCode("deleted"));
    expect(await refusal(harness.start(testCode("deleted")))).toMatchObject({ code: "distributor_not_found" });
    expect(await harness.answer(came, firstPage)).toMatchObject({ code: "distributor_not_found" });
  });

  test("a survey that does not collect takes nobody by a link either, nor by an open link when it invites only", async () => {
    const code = harness.addLink("shared");
    const came = await harness.startGuest(code);
    harness.survey.active = false;
    expect(await refusal(harness.start(code))).toMatchObject(notCollecting("inactive"));
    expect(await harness.answer(came, firstPage)).toEqual(notCollecting("inactive"));
    harness.survey.active = true;
    harness.survey.settings = { access: { inviteOnly: true } };
    expect(await refusal(harness.start(code))).toMatchObject(notCollecting("invite_only"));
    await harness.start(harness.addLink("invited", person()));
  });
});

test("the limit of a distributor holds exactly while a hundred complete at once, by link and by API", async () => {
  const code = harness.addLink("shared", { responseLimit: 7n });
  const come = await Promise.all(Array.from({ length: 50 }, () => harness.startGuest(code)));
  const options = callOptions({ signedCaller: harness.signed() });
  const called = await Promise.all(
    Array.from({ length: 50 }, () => harness.client.startRespondent({ surveyId, distributorId }, options)),
  );
  const outcomes = await Promise.all([
    ...come.map((came) => harness.answer(came, finished)),
    ...called.map(({ respondent }) => harness.submit({ respondentId: respondent!.respondentId, ...finished })),
  ]);
  const done = outcomes.filter(({ code: outcome }) => outcome === "completed" || outcome === "submitted");
  expect(done).toHaveLength(7);
  const refused = outcomes.filter((outcome) => !done.includes(outcome));
  expect(new Set(refused.map((outcome) => JSON.stringify(outcome)))).toEqual(
    new Set([JSON.stringify(notCollecting("link_limit"))]),
  );
  expect(await harness.results()).toEqual({ started: 100, completed: 7 });
  expect(await refusal(harness.start(code))).toMatchObject(notCollecting("link_limit"));
  expect(await refusal(harness.client.startRespondent({ surveyId, distributorId }, options))).toMatchObject({
    code: "validation_failed",
    details: { distributorId: ["does not collect (link_limit)"] },
  });
  // Whoever has completed may still change answers, where the survey lets it.
  harness.survey.settings = { collection: { editAfterSubmit: "always" } };
  const winner = come[outcomes.findIndex(({ code: outcome }) => outcome === "completed")];
  if (winner) expect(await harness.answer(winner, { responses: [answer("a", 5)] })).toEqual({ code: "completed" });
});

describe("a link for one person", () => {
  test("fifty starts at once on a single-use link make one respondent; the same key gets the same answer", async () => {
    const code = harness.addLink("single", person());
    const starts = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => harness.start(code, { key: `k${index}` })),
    );
    const won = starts.findIndex(({ status }) => status === "fulfilled");
    expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const start of starts)
      if (start.status === "rejected") expect(start.reason).toMatchObject(notCollecting("link_used"));
    expect(await harness.results()).toEqual({ started: 1, completed: 0 });
    const first = (starts[won] as PromiseFulfilledResult<Awaited<ReturnType<typeof harness.start>>>).value;
    const again = await harness.start(code, { key: `k${won}` });
    expect(again.sessionToken).toBe(first.sessionToken);
    const { respondentId } = first.respondent!;
    expect(await harness.use(testId("one"))).toEqual({
      respondentId,
      usedAt: "2026-03-01T10:00:00.000Z",
      status: "started",
    });
    await harness.answer({ code, respondentId, sessionToken: first.sessionToken }, finished);
    expect(await harness.use(testId("one"))).toMatchObject({ status: "completed" });
    expect(await harness.use(testId("two"))).toEqual({ respondentId: "", usedAt: "", status: "" });
  });

  test("a personal link continues as the same respondent until it completes", async () => {
    const personal = person({ type: "personal_link", contactId: testId("contact"), language: "fr" });
    const code = harness.addLink("personal", personal);
    const starts = await Promise.all(Array.from({ length: 20 }, () => harness.start(code)));
    const ids = new Set(starts.map(({ respondent }) => respondent!.respondentId));
    expect(ids.size).toBe(1);
    expect(new Set(starts.map(({ sessionToken }) => sessionToken)).size).toBe(20);
    expect(starts[0]!.respondent).toMatchObject({ contactId: testId("contact"), language: "fr" });
    const [first, later] = starts.map(({ sessionToken }) => ({ code, respondentId: [...ids][0]!, sessionToken }));
    await harness.answer(first!, firstPage);
    expect((await harness.read(later!)).respondent!.answers).toHaveLength(1);
    expect(await harness.answer(later!, finished)).toEqual({ code: "completed" });
    expect(await refusal(harness.start(code))).toMatchObject(notCollecting("link_used"));
    expect(await harness.results()).toEqual({ started: 1, completed: 1 });
  });

  test("two sessions of a personal link learn of each other's saves by when their respondent was seen", async () => {
    const personal = person({ type: "personal_link", contactId: testId("contact") });
    const code = harness.addLink("personal", personal);
    const first = await harness.startGuest(code);
    const times = ["10:00", "10:01", "10:02", "10:03"].map((time) => `2026-03-01T${time}:00.000Z`);
    harness.clock.advance(60_000);
    expect(await harness.seenAfter(first, firstPage)).toEqual([times[0], times[1]]);
    const second = await harness.startGuest(code);
    expect(timestampDate((await harness.read(second)).seenAt!).toISOString()).toBe(times[1]);
    harness.clock.advance(60_000);
    expect(await harness.seenAfter(second, { ...firstPage, responses: [answer("a", 3)] })).toEqual([
      times[1],
      times[2],
    ]);
    harness.clock.advance(60_000);
    expect(await harness.seenAfter(first, firstPage)).toEqual([times[2], times[3]]);
  });

  test("with full anonymity no session learns when it was seen", async () => {
    harness.survey.settings = { privacy: { anonymity: "full" } };
    const came = await harness.startGuest(harness.addLink("shared"));
    expect(await harness.seenAfter(came, firstPage)).toEqual([undefined, undefined]);
    expect((await harness.read(came)).seenAt).toBeUndefined();
  });

  test("its session ends with the contact, for saving and reading; sessions of other links continue", async () => {
    const personal = person({ type: "personal_link", contactId: testId("contact") });
    const came = await harness.startGuest(harness.addLink("personal", personal));
    const other = await harness.startGuest(harness.addLink("single", person({ linkId: testId("two") })));
    expect(await harness.answer(came, firstPage)).toEqual({ code: "started" });
    dropContact(harness.links, testId("contact"), "deleted");
    expect(await harness.answer(came, finished)).toMatchObject({ code: "distributor_not_found" });
    expect(await refusal(harness.read(came))).toMatchObject({ code: "distributor_not_found" });
    expect(await harness.answer(other, finished)).toEqual({ code: "completed" });
  });

  test.each(["partial", "full"])("with %s anonymity nothing leads from it to answers", async (anonymity) => {
    harness.survey.settings = { privacy: { anonymity } };
    const fields = { type: "personal_link", contactId: testId("contact"), language: "fr" };
    const code = harness.addLink("personal", person(fields));
    // Of two at the same moment either may win.
    const starts = await Promise.allSettled([harness.startGuest(code), harness.startGuest(code)]);
    const [came, late] = starts.toSorted((a, b) => (a.status < b.status ? -1 : 1));
    expect(late).toMatchObject({ status: "rejected", reason: notCollecting("link_used") });
    const { value } = came as PromiseFulfilledResult<Awaited<ReturnType<typeof harness.startGuest>>>;
    const { respondent } = await harness.read(value);
    expect(respondent).toMatchObject({ contactId: "", language: "" });
    expect(await harness.answer(value, finished)).toEqual({ code: "completed" });
    // Only the day: a list of respondents has the moment of the start.
    const use = { respondentId: "", usedAt: "2026-03-01", status: "started" };
    expect(await harness.use(testId("one"))).toEqual(use);
    const { rows } = await harness.pool.query("SELECT * FROM used_links");
    expect(JSON.stringify(rows)).not.toContain(value.respondentId);
    expect(rows).toMatchObject([{ used_at: new Date("2026-03-01T00:00:00Z") }]);
    await harness.pool.query("UPDATE used_links SET used_at = '2026-03-01T10:00:00Z'");
    expect(await harness.use(testId("one"))).toEqual(use);
  });

  test.each(["none", "full"])("its use is known to its own sessions alone, with anonymity %s", async (anonymity) => {
    harness.survey.settings = { privacy: { anonymity } };
    const came = await harness.startGuest(harness.addLink("single", person()));
    const other = await harness.startGuest(harness.addLink("other", person({ linkId: testId("two") })));
    const shared = await harness.startGuest(harness.addLink("shared"));
    const isOwn = (session: { code: string; sessionToken: string }) => harness.isOwnUse(testId("one"), session);
    expect(await isOwn(came)).toBe(true);
    for (const { code, sessionToken } of [
      other,
      shared,
      { ...other, code: came.code },
      { ...came, code: other.code },
    ]) {
      expect(await isOwn({ code, sessionToken })).toBe(false);
    }
    for (const sessionToken of ["", "x", `${came.sessionToken}x`, `workspace2000000${came.sessionToken.slice(16)}`]) {
      expect(await isOwn({ code: came.code, sessionToken })).toBe(false);
    }
  });

  test("stays used when its respondent is erased, and leads to no respondent", async () => {
    const code = harness.addLink("personal", person({ type: "personal_link" }));
    const { respondentId } = await harness.startGuest(code);
    await harness.client.eraseRespondent({ surveyId, respondentId }, callOptions({ signedCaller: harness.signed() }));
    expect(await harness.use(testId("one"))).toMatchObject({ respondentId: "", status: "started" });
    expect(await refusal(harness.start(code))).toMatchObject(notCollecting("link_used"));
  });
});

describe("passwords", () => {
  const violation = (message: string) => ({ code: "validation_failed", details: { password: [message] } });

  test("a link's own password is asked, without one the survey's", async () => {
    harness.survey.password = "of the survey";
    const own = harness.addLink("own", { hasPassword: true });
    const plain = harness.addLink("plain", { distributorId: testId("plain") });
    harness.links.passwords.set(distributorId, "of the link");
    expect(await refusal(harness.start(own))).toMatchObject(violation("is required"));
    expect(await refusal(harness.start(own, { password: "of the survey" }))).toMatchObject(
      violation("is not the right one"),
    );
    await harness.start(own, { password: "of the link" });
    expect(await refusal(harness.start(plain, { password: "of the link" }))).toMatchObject(
      violation("is not the right one"),
    );
    const { respondentId, ...came } = await harness.startGuest(plain, { password: "of the survey" });
    expect(await harness.answer({ respondentId, ...came }, finished)).toEqual({ code: "completed" });
  });
});

describe("a respondent that the API starts", () => {
  const start = (fields: object, person: object = {}) =>
    harness.client.startRespondent({ surveyId, ...fields }, callOptions({ signedCaller: harness.signed(person) }));

  test.each([
    ["absent", "is not a distributor of this survey", undefined],
    ["of another survey", "is not a distributor of this survey", { surveyId: testId("other") }],
    ["of another workspace", "is not a distributor of this survey", { workspaceId: testId("foreign") }],
    ["a draft", "does not collect (link_draft)", { status: "draft" }],
    ["paused", "does not collect (link_paused)", { status: "paused" }],
  ])("is refused on distributorId when that is %s", async (_, message, fields) => {
    if (fields) harness.addLink("shared", fields);
    expect(await refusal(start({ distributorId }))).toMatchObject({
      code: "validation_failed",
      details: { distributorId: [message] },
    });
    expect(await harness.results()).toEqual({ started: 0, completed: 0 });
  });

  test("is refused on contactId when that is absent or anonymized, with every other fault", async () => {
    const [contactId, gone, known] = [testId("absent"), testId("gone"), testId("known")];
    harness.links.contacts.set(contactId, "").set(gone, "anonymized").set(known, "unsubscribed");
    expect(await refusal(start({ contactId, distributorId }))).toMatchObject({
      code: "validation_failed",
      details: {
        contactId: ["is not a contact of this workspace"],
        distributorId: ["is not a distributor of this survey"],
      },
    });
    expect(await refusal(start({ contactId: gone }))).toMatchObject({ details: { contactId: ["is anonymized"] } });
    const asked = harness.links.contactsAsked;
    expect((await start({ contactId: known })).respondent).toMatchObject({ contactId: known });
    expect(harness.links.contactsAsked).toBe(asked + 1);
    await start({});
    expect(harness.links.contactsAsked).toBe(asked + 1);
    expect((await harness.pool.query("SELECT 1 FROM respondents")).rows).toHaveLength(2);
  });

  test("counts at its distributor, a test nowhere", async () => {
    harness.addLink("shared");
    await start({ distributorId });
    await start({ distributorId }, { live: false });
    expect(await harness.results()).toEqual({ started: 1, completed: 0 });
  });
});

test("while the distribution service is down or hangs, known links work as stored; an unknown one is refused", async () => {
  await using away = await startLinkHarness();
  const code = away.addLink("shared");
  const came = await away.startGuest(code);
  const { promise, resolve } = Promise.withResolvers<void>();
  away.links.hangs = promise;
  const { asked } = away.links;
  expect(await away.answer(came, firstPage)).toEqual({ code: "started" });
  await away.start(code);
  expect(away.links.asked).toBe(asked);
  expect(await refusal(away.start(testCode("unknown")))).toMatchObject({
    code: expect.stringMatching(/^(service_unavailable|deadline_exceeded)$/),
  });
  resolve();
  await away.stopLinkService();
  expect(await away.answer(came, finished)).toEqual({ code: "completed" });
  expect(await refusal(away.start(testCode("unknown")))).toMatchObject({ code: "service_unavailable" });
});

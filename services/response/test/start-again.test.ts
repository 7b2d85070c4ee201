import { LinkResponseService } from "@canvass/proto/response-links";
import { callOptions, createRpcClient } from "@canvass/rpc";
import { refusal, testKeys } from "@canvass/service/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { surveyId, testId, workspaceId } from "./harness.ts";
import { finished, startLinkHarness, type Guest, type LinkHarness } from "./link-harness.ts";

let harness: LinkHarness;
beforeAll(async () => void (harness = await startLinkHarness()));
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  Object.assign(harness.survey, { settings: {} });
  harness.links.links.clear();
  harness.clock.set(new Date("2026-03-01T10:00:00Z"));
  await harness.pool.query(
    `TRUNCATE collecting_surveys, collecting_links, gone_contacts, respondents, answer_sets, survey_counters,
       distributor_counters, used_links, idempotency_records, outbox_events`,
  );
});

const linkId = testId("one");
const personal = { type: "personal_link", linkId, contactId: testId("contact") };
const single = { type: "single_use_link", linkId };
const used = { code: "survey_not_collecting", details: { reason: "link_used" } };
const refused = { code: "survey_not_collecting", details: { reason: "privacy_changed" } };
const promise = (anonymity: "none" | "partial" | "full") => void (harness.survey.settings = { privacy: { anonymity } });
/** What the page shows to a person who opens the link, perhaps with a session. */
const opened = async (code: string, sessionToken = "") => {
  const { uses } = await harness.linkClient.batchGetLinkUses({ workspaceId, linkIds: [linkId], code, sessionToken });
  const { usedAt, respondentId } = uses[0]!;
  return { isUsed: usedAt !== "", goesOn: respondentId !== "" };
};

/** Links whose respondents are refused once the survey promises more. */
const broken: [before: "none" | "partial", after: "partial" | "full", fields: typeof personal | typeof single][] = [
  ["none", "partial", personal],
  ["none", "full", personal],
  ["partial", "full", personal],
  ["none", "full", single],
  ["partial", "full", single],
];

describe.each(broken)("a respondent who began with anonymity %s, which is %s now", (before, after, fields) => {
  async function begin(): Promise<Guest> {
    promise(before);
    const came = await harness.startGuest(harness.addLink("mine", fields));
    promise(after);
    expect(await harness.answer(came, finished)).toEqual(refused);
    return came;
  }

  test(`starts again by a ${fields.type}, once, and completes`, async () => {
    const { code, ...former } = await begin();
    const free = { isUsed: false, goesOn: false };
    expect(await opened(code)).toEqual(free);
    expect(await opened(code, former.sessionToken)).toEqual(free);
    // Its issuer is told what happened.
    const usedAt = before === "none" ? "2026-03-01T10:00:00.000Z" : "2026-03-01";
    expect(await harness.use(linkId)).toMatchObject({ usedAt, status: "started" });
    const came = await harness.startGuest(code);
    expect(came.respondentId).not.toBe(former.respondentId);
    expect((await harness.read(came)).respondent).toMatchObject({ contactId: "" });
    expect(await opened(code)).toEqual({ isUsed: true, goesOn: false });
    expect(await harness.isOwnUse(linkId, came)).toBe(true);
    expect(await refusal(harness.start(code))).toMatchObject(used);
    expect(await harness.answer(came, finished)).toEqual({ code: "completed" });
    expect(await refusal(harness.start(code))).toMatchObject(used);
    expect(await harness.answer({ code, ...former }, finished)).toEqual(refused);
    expect(await harness.results()).toEqual({ started: 2, completed: 1 });
    expect(JSON.stringify(await harness.sql("SELECT * FROM used_links"))).not.toContain(came.respondentId);
  });

  test(`is one new respondent of a ${fields.type}, however many devices and processes start at once`, async () => {
    const { code } = await begin();
    await using other = await harness.startAnother();
    await using there = createRpcClient(LinkResponseService, { url: other.url, peerKey: testKeys.peerKey });
    const starts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? harness.start(code) : there.startLinkRespondent({ code }))),
    );
    expect(starts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const start of starts) if (start.status === "rejected") expect(start.reason).toMatchObject(used);
    expect(await harness.results()).toEqual({ started: 2, completed: 0 });
  });
});

test("keys of before and after the change get their own respondents again", async () => {
  const code = harness.addLink("mine", personal);
  const before = await harness.startGuest(code, { key: "before" });
  promise("full");
  const after = await harness.startGuest(code, { key: "after" });
  expect(after.respondentId).not.toBe(before.respondentId);
  expect(await harness.startGuest(code, { key: "before" })).toEqual(before);
  expect(await harness.startGuest(code, { key: "after" })).toEqual(after);
  expect(await harness.results()).toEqual({ started: 2, completed: 0 });
});

test("a full survey or link accepts no more respondents", async () => {
  const code = harness.addLink("mine", personal);
  await harness.startGuest(code);
  await harness.answer(await harness.startGuest(harness.addLink("shared")), finished);
  promise("full");
  harness.addLink("mine", { ...personal, responseLimit: 1n });
  expect(await refusal(harness.start(code))).toMatchObject({ details: { reason: "link_limit" } });
  harness.addLink("mine", personal);
  harness.survey.settings = { privacy: { anonymity: "full" }, collection: { responseLimit: 1 } };
  expect(await refusal(harness.start(code))).toMatchObject({ details: { reason: "response_limit" } });
});

test.each<[string, (came: Guest) => Promise<unknown>]>([
  ["completed", (came) => harness.answer(came, finished)],
  [
    "was erased",
    ({ respondentId }) =>
      harness.client.eraseRespondent({ surveyId, respondentId }, callOptions({ signedCaller: harness.signed() })),
  ],
])("the link of a respondent that %s stays used whatever is promised later", async (_, end) => {
  const came = await harness.startGuest(harness.addLink("mine", personal));
  await end(came);
  promise("full");
  expect(await opened(came.code)).toMatchObject({ isUsed: true });
  expect(await refusal(harness.start(came.code))).toMatchObject(used);
});

test("a client that is not refused continues as before", async () => {
  const one = await harness.startGuest(harness.addLink("mine", single));
  promise("partial");
  expect(await opened(one.code)).toMatchObject({ isUsed: true });
  expect(await refusal(harness.start(one.code))).toMatchObject(used);
  expect(await harness.answer(one, finished)).toEqual({ code: "completed" });
});

import { EventIntakeService } from "@canvass/proto/events";
import { LinkResponseService } from "@canvass/proto/response-links";
import { ResponseService } from "@canvass/proto/response";
import { callOptions, createRpcClient, type RpcClient } from "@canvass/rpc";
import { refusal, refusalOf, testKeys } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ownLocks, surveyId, testId, workspaceId } from "./harness.ts";
import { timestampAt, deleteLink, dropContact, shownLink, testCode } from "./link-double.ts";
import { distributorId, finished, firstPage, startLinkHarness, type Guest, type LinkHarness } from "./link-harness.ts";
import { collectingEvent } from "./push-changes.ts";
import { collectionOf, type SurveyState } from "./survey-double.ts";

let harness: LinkHarness;
beforeAll(async () => void (harness = await startLinkHarness()));
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  const survey = { active: true, versionNumber: 1, settings: {}, password: "", isPushed: true, isOld: false };
  Object.assign(harness.survey, { ...survey, hangs: undefined });
  Object.assign(harness.links, { hangs: undefined, changes: [] });
  harness.links.links.clear();
  harness.links.contacts.clear();
  harness.clock.set(new Date("2026-03-01T10:00:00Z"));
  await harness.pool.query(
    `TRUNCATE collecting_surveys, collecting_links, gone_contacts, respondents, answer_sets, survey_counters,
       question_counters, distributor_counters, used_links, idempotency_records, outbox_events`,
  );
});

const contactId = testId("contact");
const shared = testCode("shared");
const personal = testCode("personal");
const past = "2026-03-01T09:00:00Z";
const future = "2026-03-01T11:00:00Z";

/** What people and callers try at one process, and how each try ends: the status, or what it is refused for. */
interface Tries {
  start: string;
  answer: string;
  answerByCaller: string;
  startPersonal: string;
  answerPersonal: string;
  startByCaller: string;
}

const open: Tries = {
  start: "started",
  answer: "completed",
  answerByCaller: "completed",
  startPersonal: "started",
  answerPersonal: "completed",
  startByCaller: "started",
};
const all = (outcome: string): Tries =>
  Object.fromEntries(Object.keys(open).map((name) => [name, outcome])) as unknown as Tries;
/** Of a survey that does not collect. */
const refused = (reason: string) => all(`survey_not_collecting ${reason}`);
/** Of a link: a caller that names it is told so at the field. */
const closedLink = (reason: string): Tries => ({ ...refused(reason), startByCaller: "validation_failed" });
const settings = (given: SurveyState["settings"]) => () => void (harness.survey.settings = given);
const link = (fields: Parameters<LinkHarness["addLink"]>[1]) => () => {
  harness.addLink(shared, fields);
  harness.addLink(personal, { ...personalLink, ...fields });
};
const personalLink = { type: "personal_link", linkId: testId("one"), contactId };
const withoutPersonal: Partial<Tries> = {
  startPersonal: "distributor_not_found",
  answerPersonal: "distributor_not_found",
};

/** Every setting that closes, limits, hides or anonymizes: what is left of `open` once its change is answered. */
const changes: [name: string, change: () => void, left: Tries][] = [
  ["nothing", () => undefined, open],
  ["the survey is inactive", () => void (harness.survey.active = false), refused("inactive")],
  ["schedule.opensAt", settings({ schedule: { opensAt: future } }), refused("not_open_yet")],
  ["schedule.closesAt", settings({ schedule: { closesAt: past } }), refused("closed")],
  ["collection.responseLimit", settings({ collection: { responseLimit: 1 } }), refused("response_limit")],
  [
    "access.inviteOnly",
    settings({ access: { inviteOnly: true } }),
    { ...open, start: "survey_not_collecting invite_only" },
  ],
  [
    "access.password",
    () => void (harness.survey.password = "sesame"),
    { ...open, start: "validation_failed", startPersonal: "validation_failed" },
  ],
  [
    "privacy.anonymity: partial",
    settings({ privacy: { anonymity: "partial" } }),
    { ...open, answerPersonal: "survey_not_collecting privacy_changed" },
  ],
  [
    "privacy.anonymity: full",
    settings({ privacy: { anonymity: "full" } }),
    { ...refused("privacy_changed"), start: "started", startPersonal: "started", startByCaller: "started" },
  ],
  ["the link is paused", link({ status: "paused" }), closedLink("link_paused")],
  ["the link is closed", link({ status: "closed" }), closedLink("link_closed")],
  ["the link's opensAt", link({ opensAt: timestampAt(future) }), closedLink("link_not_open_yet")],
  ["the link's closesAt", link({ closesAt: timestampAt(past) }), closedLink("link_closed")],
  ["the link's responseLimit", link({ responseLimit: 1n }), closedLink("link_limit")],
  [
    "the link's password",
    link({ hasPassword: true }),
    { ...open, start: "validation_failed", startPersonal: "validation_failed" },
  ],
  [
    "the link is deleted",
    () => {
      deleteLink(harness.links, personal);
      deleteLink(harness.links, shared);
    },
    {
      ...all("distributor_not_found"),
      answerByCaller: "survey_not_collecting link_closed",
      startByCaller: "validation_failed",
    },
  ],
  [
    "the contact is anonymized",
    () => dropContact(harness.links, contactId, "anonymized"),
    { ...open, ...withoutPersonal },
  ],
  ["the contact is deleted", () => dropContact(harness.links, contactId, "deleted"), { ...open, ...withoutPersonal }],
];

type Clients = Record<"responses", RpcClient<typeof ResponseService>> &
  Record<"links", RpcClient<typeof LinkResponseService>>;

/** Respondents that had begun: by the link for everybody, by a caller, by a personal link. */
async function begin() {
  harness.addLink(shared);
  harness.addLink(personal, personalLink);
  // One has completed already, for limits.
  await harness.answer(await harness.startGuest(shared), finished);
  const byCaller = () =>
    harness.client.startRespondent({ surveyId, distributorId }, callOptions({ signedCaller: harness.signed() }));
  return {
    came: await harness.startGuest(shared),
    called: await byCaller(),
    person: await harness.startGuest(personal),
  };
}

async function tryAll(
  { responses, links }: Clients,
  begun: Awaited<ReturnType<typeof begin>>,
  withPersonal = true,
): Promise<Partial<Tries>> {
  const outcomeOf = async (call: Promise<{ respondent?: { status: string } | undefined }>) => {
    const outcome = await call.then(
      ({ respondent }) => respondent!.status,
      (error: { code: string; details: { reason?: string } }) => [error.code, error.details.reason].join(" ").trim(),
    );
    return outcome;
  };
  const answer = async (submission: object) => {
    const [result] = (await responses.batchSubmitAnswers({ submissions: [submission] })).results;
    if (result!.outcome.case === "submitted") return result!.outcome.value.respondentStatus;
    const { code, detailsJson } = result!.outcome.value!;
    const { reason } = JSON.parse(detailsJson || "{}") as { reason?: string };
    return [code, reason].join(" ").trim();
  };
  const byLink = (came: Guest) => ({ ...came, bodyJson: JSON.stringify(finished) });
  const { respondentId } = begun.called.respondent!;
  const caller = harness.signed();
  const bodyJson = JSON.stringify({ respondentId, ...finished });
  const asCaller = callOptions({ signedCaller: caller });
  // At once, since each waits for an owner that hangs; but the personal link is used up by its completion.
  async function tryPersonal() {
    const startPersonal = await outcomeOf(links.startLinkRespondent({ code: personal }));
    return { startPersonal, answerPersonal: await answer(byLink(begun.person)) };
  }
  const [start, answered, answerByCaller, personalTries, startByCaller] = await Promise.all([
    outcomeOf(links.startLinkRespondent({ code: shared })),
    answer(byLink(begun.came)),
    answer({ caller, surveyId, bodyJson }),
    withPersonal ? tryPersonal() : {},
    outcomeOf(responses.startRespondent({ surveyId, distributorId }, asCaller)),
  ]);
  return { start, answer: answered, answerByCaller, ...personalTries, startByCaller };
}

/** Another process on the same database. */
async function startReplica() {
  await using starting = new AsyncDisposableStack();
  const { url } = starting.use(await harness.startAnother());
  const { peerKey } = testKeys;
  const responses = starting.use(createRpcClient(ResponseService, { url, peerKey }));
  const links = starting.use(createRpcClient(LinkResponseService, { url, peerKey }));
  const intake = starting.use(createRpcClient(EventIntakeService, { url, peerKey }));
  const running = starting.move();
  return { responses, links, intake, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

describe("once a change is answered", () => {
  test.each(changes)("no process does more than it allows: %s", async (_, change, left) => {
    await using other = await startReplica();
    const begun = await begin();
    // What the other process knows is older than the change.
    await other.responses.startRespondent({ surveyId, distributorId }, callOptions({ signedCaller: harness.signed() }));
    await other.links.startLinkRespondent({ code: shared });
    change();
    await harness.push();
    expect(await tryAll(other, begun)).toEqual(left);
  });

  test.each(changes)(
    "neither does one that starts while the owners hang: %s",
    async (name, change, left) => {
      const begun = await begin();
      change();
      await harness.push();
      const never = Promise.withResolvers<void>().promise;
      harness.survey.hangs = never;
      harness.links.hangs = never;
      await using other = await startReplica();
      // Only the owner knows whose a personal link is, so each try waits for it.
      const tried = await tryAll(other, begun, /nothing|deleted|contact/.test(name));
      const away = (what: string, outcome: string) => {
        // Passwords are checked by the owner, too.
        const isAsked = what.endsWith("Personal") || (what === "start" && left.start !== outcome);
        return isAsked && /^(deadline_exceeded|service_unavailable)$/.test(outcome);
      };
      for (const [what, outcome] of Object.entries(tried)) {
        if (!away(what, outcome)) expect([what, outcome]).toEqual([what, left[what as keyof Tries]]);
      }
      expect(tried.answer).toBe(left.answer);
      expect(tried.answerByCaller).toBe(left.answerByCaller);
    },
    60_000,
  );
});

test("with full anonymity no moment is stored of who starts once that is answered", async () => {
  await begin();
  await using other = await startReplica();
  await other.links.startLinkRespondent({ code: shared });
  harness.survey.settings = { privacy: { anonymity: "full" } };
  await harness.push();
  const { respondent } = await other.links.startLinkRespondent({ code: shared });
  const [row] = await harness.sql<{ started: string }>(
    "SELECT (started_at AT TIME ZONE 'UTC')::time::text AS started FROM respondents WHERE respondent_id = $1",
    [respondent!.respondentId],
  );
  expect(row!.started).toBe("00:00:00");
});

describe("pushes", () => {
  const isActive = async () =>
    (await harness.sql<{ active: boolean }>("SELECT active FROM collecting_surveys"))[0]!.active;

  test("may arrive in any order, repeatedly and by several ways: the newest revision counts, and deleted ones stay deleted", async () => {
    harness.addLink(shared);
    await harness.startGuest(shared);
    const states = [true, false, true, false].map((active) => {
      harness.survey.active = active;
      return collectingEvent({ case: "survey", value: { surveyId, collection: collectionOf(harness.survey) } });
    });
    for (const order of [
      [3, 0, 1, 2],
      [2, 3, 1],
      [0, 3],
      [3, 3],
    ]) {
      await harness.handOver(
        order.map((place) => states[place]!),
        "collecting",
      );
      expect(await isActive()).toBe(false);
    }
    const active = collectingEvent({ case: "link", value: shownLink(harness.links, harness.addLink(shared)) });
    const later = collectingEvent({ case: "link", value: shownLink(harness.links, harness.addLink(shared)) });
    deleteLink(harness.links, shared);
    await harness.push();
    await harness.handOver([later, active], "collecting");
    expect(await refusal(harness.start(shared))).toMatchObject({ code: "distributor_not_found" });
  });

  test("that are lost are brought by the event; until then the change was not answered", async () => {
    harness.addLink(shared);
    const came = await harness.startGuest(shared);
    harness.survey.isPushed = false;
    harness.survey.active = false;
    const lost = collectingEvent({ case: "survey", value: { surveyId, collection: collectionOf(harness.survey) } });
    expect(await harness.answer(came, firstPage)).toEqual({ code: "started" });
    await harness.handOver([lost], "collecting");
    expect(await harness.answer(came, finished)).toMatchObject({ details: { reason: "inactive" } });
  });

  test("of a survey that is locked are not stored, and delay no others", async () => {
    const [held, other] = [testId("held"), testId("other")];
    const events = [held, other].map((of) =>
      collectingEvent({ case: "survey", value: { surveyId: of, collection: collectionOf(harness.survey) } }),
    );
    const holder = await harness.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT pg_advisory_xact_lock_shared(1, hashtext($1))", [`survey ${workspaceId} ${held}`]);
      expect(await harness.handOver(events, "collecting")).toEqual([events[1]!.eventId]);
      expect(await refusal(harness.handOver(events.slice(0, 1), "collecting"))).toMatchObject({
        code: "service_unavailable",
      });
    } finally {
      await holder.query("ROLLBACK");
      holder.release();
    }
    expect(await harness.handOver(events, "collecting")).toEqual(events.map(({ eventId }) => eventId));
  });

  test("changes of an owner whose database was restored are not accepted until its revisions exceed the former ones", async () => {
    harness.addLink(shared);
    await harness.startGuest(shared);
    const survey = () =>
      collectingEvent({ case: "survey", value: { surveyId, collection: collectionOf(harness.survey) } });
    const link = (status: string) =>
      collectingEvent({ case: "link", value: shownLink(harness.links, harness.addLink(shared, { status })) });
    await harness.sql("UPDATE collecting_links SET revision = revision + 2");
    await harness.sql("UPDATE collecting_surveys SET revision = revision + 2");
    harness.survey.active = false;
    expect(await harness.handOver([survey()], "collecting")).toEqual([]);
    const first = link("paused");
    expect(await harness.handOver([first], "collecting")).toEqual([]);
    const [second, third] = [link("active"), link("paused")];
    expect(await harness.handOver([first, second], "collecting")).toEqual([first.eventId, second.eventId]);
    expect(await harness.handOver([third, second, first], "collecting")).toHaveLength(3);
    harness.links.changed.clear();
    expect(await refusal(harness.start(shared))).toMatchObject({ details: { reason: "link_paused" } });
    for (const active of [true, false]) {
      harness.survey.active = active;
      harness.survey.revision += 1n;
    }
    const late = survey();
    expect(await harness.handOver([late], "collecting")).toEqual([late.eventId]);
    expect(await isActive()).toBe(false);
  });

  test("changes with a revision that a restored owner reuses are in effect only if they are equal", async () => {
    harness.addLink(shared, { opensAt: timestampAt(past) });
    harness.survey.settings = { schedule: { opensAt: past } };
    await harness.startGuest(shared);
    const survey = (fields: object = {}) => {
      const collection = { ...collectionOf(harness.survey), ...fields };
      return collectingEvent({ case: "survey", value: { surveyId, collection } });
    };
    const link = (fields: object = {}) =>
      collectingEvent({ case: "link", value: { ...shownLink(harness.links, shared), ...fields } });
    const again = [survey(), link()];
    expect(await harness.handOver(again, "collecting")).toEqual(again.map(({ eventId }) => eventId));
    const others = [
      survey({ active: false }),
      survey({ settingsJson: JSON.stringify({ privacy: { anonymity: "full" } }) }),
      link({ status: "paused" }),
      link({ closesAt: timestampAt(past) }),
    ];
    expect(await harness.handOver(others, "collecting")).toEqual([]);
  });

  test("changes of a link that was restored from a backup are not accepted, and become poison with the reason", async () => {
    harness.addLink(shared);
    await harness.startGuest(shared);
    await harness.sql("DELETE FROM distributor_counters");
    await harness.linkClient.holdUnusedLink({ link: shownLink(harness.links, shared) });
    deleteLink(harness.links, shared);
    await harness.push();
    await harness.sql("UPDATE collecting_links SET held_until = now()");
    const back = collectingEvent({ case: "link", value: shownLink(harness.links, harness.addLink(shared)) });
    harness.links.changed.clear();
    for (let time = 1; time < 5; time += 1) expect(await harness.handOver([back], "collecting")).toEqual([]);
    await harness.handOver([back], "collecting");
    const poison = await harness.sql("DELETE FROM poison_events RETURNING error");
    expect(poison).toMatchObject([{ error: expect.stringContaining("backup-and-restore.md") as string }]);
  });

  test("late ones are retried while their owner is unavailable, and do not delay others", async () => {
    harness.addLink(shared);
    const [older, newer] = [false, true].map((active) => {
      harness.survey.active = active;
      return collectingEvent({ case: "survey", value: { surveyId, collection: collectionOf(harness.survey) } });
    });
    const hanging = Promise.withResolvers<void>();
    harness.survey.hangs = hanging.promise;
    const link = collectingEvent({ case: "link", value: shownLink(harness.links, shared) });
    try {
      expect(await harness.handOver([newer!, older!, link], "collecting")).toEqual([newer!.eventId, link.eventId]);
    } finally {
      hanging.resolve();
      harness.survey.hangs = undefined;
    }
    expect(await harness.handOver([older!], "collecting")).toEqual([older!.eventId]);
  });

  test("that are missing at first use fail only for the survey that is locked", async () => {
    const surveys = ["others", "first", "second", "held", "third", "fourth"].map(testId);
    const held = testId("held");
    for (const other of surveys) harness.survey.others.add(other);
    harness.survey.isPushed = false;
    const asCaller = callOptions({ signedCaller: harness.signed() });
    const holder = await harness.pool.connect();
    try {
      await holder.query("BEGIN");
      await holder.query("SELECT pg_advisory_xact_lock_shared(1, hashtext($1))", [`survey ${workspaceId} ${held}`]);
      const starts = surveys.map((of) => harness.client.startRespondent({ surveyId: of }, asCaller));
      const outcomes = await Promise.allSettled(starts);
      expect(surveys.filter((_, at) => outcomes[at]!.status === "rejected")).toEqual([held]);
    } finally {
      await holder.query("ROLLBACK");
      holder.release();
      harness.survey.others.clear();
    }
  });

  test("win over an older state that the first request for the survey returns", async () => {
    const hanging = Promise.withResolvers<void>();
    harness.survey.hangs = hanging.promise;
    harness.survey.isPushed = false;
    const { asked } = harness.survey;
    const first = harness.client.startRespondent({ surveyId }, callOptions({ signedCaller: harness.signed() }));
    const outcome = refusalOf(first).catch(() => undefined);
    await waitFor(async () => harness.survey.asked > asked, { describe: "the question" });
    harness.survey.active = false;
    const push = collectingEvent({ case: "survey", value: { surveyId, collection: collectionOf(harness.survey) } });
    await harness.handOver([push], "collecting");
    hanging.resolve();
    expect(await outcome).toMatchObject({ code: "survey_not_collecting" });
    expect(await isActive()).toBe(false);
  });
});

/** Statements that wait for a lock of how something collects. */
const waitingForState = async () =>
  (await harness.sql(`SELECT 1 FROM ${ownLocks} WHERE locktype = 'advisory' AND objsubid = 2 AND NOT granted`)).length;

describe("a submission or a start that meets a change", () => {
  test("is stored before the change is answered, or sees it", async () => {
    harness.addLink(shared);
    const [before, after] = [await harness.startGuest(shared), await harness.startGuest(shared)];
    const holder = await harness.pool.connect();
    try {
      // The submission has read the state and waits for its respondent.
      await holder.query("BEGIN");
      await holder.query("SELECT FROM respondents WHERE respondent_id = $1 FOR UPDATE", [before.respondentId]);
      const submitted = harness.answer(before, finished);
      const holding = `SELECT 1 FROM ${ownLocks} WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ShareLock'`;
      await waitFor(async () => (await harness.sql(holding)).length > 0, { describe: "the submission" });
      let isAnswered = false;
      harness.addLink(shared, { status: "paused" });
      const pushed = harness.push().then(() => (isAnswered = true));
      await waitFor(async () => (await waitingForState()) > 0, { describe: "the push" });
      expect(isAnswered).toBe(false);
      await holder.query("ROLLBACK");
      expect(await submitted).toEqual({ code: "completed" });
      await pushed;
      expect(await harness.answer(after, finished)).toMatchObject({ details: { reason: "link_paused" } });
    } finally {
      holder.release();
    }
  });

  test.each([
    ["submission", (came: Guest) => harness.answer(came, finished)],
    ["start", (_came: Guest) => harness.start(shared).catch((error: { details: object }) => error)],
  ])("a %s sees a change that commits while it waits", async (_, send) => {
    harness.addLink(shared);
    const came = await harness.startGuest(shared);
    const changer = await harness.pool.connect();
    try {
      await changer.query("BEGIN");
      await changer.query("SELECT pg_advisory_xact_lock(1, hashtext($1))", [`survey ${workspaceId} ${surveyId}`]);
      await changer.query("UPDATE collecting_links SET revision = revision + 1000, status = 'paused'");
      const outcome = send(came);
      await waitFor(async () => (await waitingForState()) > 0, { describe: "the other" });
      await changer.query("COMMIT");
      expect(await outcome).toMatchObject({ details: { reason: "link_paused" } });
    } finally {
      changer.release();
    }
  });

  test("starts, within a batch, on the version that is published when it commits", async () => {
    await harness.client.startRespondent({ surveyId }, callOptions({ signedCaller: harness.signed() }));
    harness.survey.versions.set(2, harness.survey.versions.get(1)!);
    const changer = await harness.pool.connect();
    try {
      await changer.query("BEGIN");
      await changer.query("SELECT pg_advisory_xact_lock(1, hashtext($1))", [`survey ${workspaceId} ${surveyId}`]);
      await changer.query(
        "UPDATE collecting_surveys SET revision = revision + 1000, version_id = $1, version_number = 2",
        [testId("version2")],
      );
      const bodyJson = JSON.stringify({ submissions: [finished] });
      const batch = harness.client.submitBatch({ surveyId, bodyJson }, callOptions({ signedCaller: harness.signed() }));
      await waitFor(async () => (await waitingForState()) > 0, { describe: "the batch" });
      await changer.query("COMMIT");
      const { submissions } = await batch;
      expect(submissions[0]!.error).toBeUndefined();
      const rows = await harness.sql("SELECT version_number AS version FROM respondents WHERE respondent_id = $1", [
        submissions[0]!.respondentId,
      ]);
      expect(rows).toEqual([{ version: 2 }]);
    } finally {
      changer.release();
      harness.survey.revision += 2_000n;
    }
  });
});

test("state of an owner of the previous version is not stored, but requested each time", async () => {
  harness.survey.isOld = true;
  const { respondent } = await harness.client.startRespondent(
    { surveyId },
    callOptions({ signedCaller: harness.signed() }),
  );
  const body = { respondentId: respondent!.respondentId, ...finished };
  expect(await harness.sql("SELECT 1 FROM collecting_surveys")).toEqual([]);
  harness.survey.active = false;
  expect(await harness.submit(body)).toMatchObject({ details: { reason: "inactive" } });
  harness.survey.active = true;
  expect(await harness.submit(body)).toMatchObject({ status: "completed" });
});

test("a link that is being deleted refuses starts for seconds, unless a respondent has started by it", async () => {
  const code = harness.addLink(shared);
  const held = { link: shownLink(harness.links, code) };
  expect(await harness.linkClient.holdUnusedLink(held)).toMatchObject({ started: 0n });
  expect(await refusal(harness.start(code))).toMatchObject({ code: "distributor_not_found" });
  await harness.sql("UPDATE collecting_links SET held_until = now()");
  await harness.start(code);
  expect(await harness.linkClient.holdUnusedLink(held)).toMatchObject({ started: 1n });
  await harness.start(code);
  expect(await harness.results()).toEqual({ started: 2, completed: 0 });
});

const hold = () =>
  harness.client.holdUnansweredSurvey({ workspaceId, surveyId, collection: collectionOf(harness.survey) });

test("a survey whose privacy is about to change takes no answer for seconds, unless it has one", async () => {
  harness.addLink(shared);
  const came = await harness.startGuest(shared);
  const byCaller = callOptions({ signedCaller: harness.signed() });
  const { respondentId } = (await harness.client.startRespondent({ surveyId }, byCaller)).respondent!;
  const away = { code: "service_unavailable" };
  expect(await hold()).toMatchObject({ hasResponses: false });
  expect(await harness.submit({ respondentId, ...finished })).toMatchObject(away);
  expect(await harness.answer(came, firstPage)).toMatchObject(away);
  const bodyJson = JSON.stringify({ submissions: [finished] });
  const { submissions } = await harness.client.submitBatch({ surveyId, bodyJson }, byCaller);
  expect(submissions[0]!.error).toMatchObject(away);
  await harness.sql("UPDATE collecting_surveys SET held_until = now()");
  expect(await harness.answer(came, firstPage)).toEqual({ code: "started" });
  expect(await hold()).toMatchObject({ hasResponses: true });
  expect(await harness.submit({ respondentId, ...finished })).toMatchObject({ status: "completed" });
});

test("a survey that is held for a change takes answers again once the change is pushed", async () => {
  harness.addLink(shared);
  const came = await harness.startGuest(shared);
  expect(await hold()).toMatchObject({ hasResponses: false });
  harness.survey.settings = { privacy: { collectCountry: false } };
  expect(await harness.answer(came, firstPage)).toEqual({ code: "started" });
});

test("after a hold, what a crashed owner changed without telling is in effect before the next answer or start", async () => {
  const code = harness.addLink(shared);
  const came = await harness.startGuest(shared);
  const unused = harness.addLink(testCode("unused"), { distributorId: testId("unused") });
  expect(await hold()).toMatchObject({ hasResponses: false });
  expect(await harness.linkClient.holdUnusedLink({ link: shownLink(harness.links, unused) })).toMatchObject({
    started: 0n,
  });
  harness.survey.isPushed = false;
  harness.survey.settings = { privacy: { anonymity: "full" } };
  harness.links.links.delete(unused);
  await harness.sql("UPDATE collecting_surveys SET held_until = now()");
  await harness.sql("UPDATE collecting_links SET held_until = now() WHERE held_until IS NOT NULL");
  expect(await harness.answer(came, firstPage)).toMatchObject({ details: { reason: "privacy_changed" } });
  expect(await refusal(harness.start(unused))).toMatchObject({ code: "distributor_not_found" });
  expect(await harness.start(code)).toMatchObject({ respondent: { status: "started" } });
});

test("emptied tables are filled by the next request, even of a process that has cached all", async () => {
  const begun = await begin();
  await harness.pool.query("TRUNCATE collecting_surveys, collecting_links");
  expect(await harness.answer(begun.came, firstPage)).toEqual({ code: "started" });
  const { respondentId } = begun.called.respondent!;
  await harness.pool.query("TRUNCATE collecting_surveys, collecting_links");
  expect(await harness.submit({ respondentId, ...finished })).toMatchObject({ status: "completed" });
  await harness.pool.query("TRUNCATE collecting_surveys, collecting_links");
  expect((await harness.start(personal)).respondent!.respondentId).toBe(begun.person.respondentId);
});

import { resolveReferences } from "./fuzz/resolve-references.ts";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { LinkSchema, LinkRef } from "@canvass/proto/distribution-links";
import type { FullQuotaSchema, Submission } from "@canvass/proto/response";
import type { StartLinkRespondentRequest } from "@canvass/proto/response-links";
import { settingsWithDefaults, type SurveyDefinition } from "@canvass/questions";
import { toErrorDetail } from "@canvass/rpc";
import { createLogger } from "@canvass/telemetry";
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { read, startEdge, type Edge } from "./start-edge.ts";

const code = "Ab3dEf6hIj9kLm2nOp5qRs";
const workspaceId = "workspace0000000";
const respondentId = "01h8x4v2c6n8b5tq";
const seenAt = timestampFromDate(new Date("2026-03-01T10:01:00Z"));
const sessionToken = `${workspaceId}.secret`;
const definition: SurveyDefinition = {
  pages: [
    {
      pageId: "01h8x3k9q2m4a7zp",
      title: "One",
      loop: null,
      skipLogic: [],
      elements: [
        {
          elementId: "01h8x3k9q2w7d1ej",
          questionId: "01h8x3k9q2w7d1ek",
          type: 4,
          text: "Which?",
          helpText: null,
          typeSettings: {},
          responseValidation: { required: true },
          choices: [
            { id: "01h8x3k9q2y0r3fm", text: "This", retired: false },
            { id: "01h8x3k9q2y0r3fn", text: "That", retired: true },
          ],
        },
      ],
    },
  ],
};

const translations = { de: { "choices.01h8x3k9q2y0r3fm": { text: "Dies", source: "" } } };
const germanDefinition: SurveyDefinition = {
  pages: definition.pages.map((page) => ({
    ...page,
    elements: page.elements.map((element) => ({ ...element, translations })),
  })),
};
const germanTexts = JSON.stringify({ name: "Mittagessen", "settings.completion.message": "Danke" });

type Link = MessageInitShape<typeof LinkSchema>;

interface World {
  link: Link;
  settings: object;
  collection: object;
  used: object;
  completed: bigint;
  /** Empty: none. */
  password: string;
  /** Starts wait for it. */
  held: Promise<void> | undefined;
  /** Starts that were asked for. */
  entering: number;
  /** Codes that were looked up. */
  sought: Set<string>;
  opened: string[];
  starts: StartLinkRespondentRequest[];
  submissions: Submission[];
  versionsAsked: number;
  /** Languages in which respondents read their own state. */
  languagesAsked: string[];
  quotaFull?: MessageInitShape<typeof FullQuotaSchema>;
  lines: string[];
}

let world: World;
let edge: Edge;
/** Low enough for a test. */
const limits = { CANVASS_RATE_LIMIT_RESPONDENTS: 20, CANVASS_RATE_LIMIT_UNAUTHENTICATED: 10 };

beforeEach(async () => {
  world = {
    link: { found: true, workspaceId, surveyId, distributorId: "distributor00000", type: "link", status: "active" },
    settings: { locale: { additional: ["de"] }, completion: { message: "Thanks", redirectUrl: "https://s.example" } },
    collection: {},
    used: {},
    completed: 0n,
    password: "",
    held: undefined,
    entering: 0,
    sought: new Set(),
    opened: [],
    starts: [],
    submissions: [],
    versionsAsked: 0,
    languagesAsked: [],
    lines: [],
  };
  const destination = new Writable({ write: (chunk, _, done) => (world.lines.push(String(chunk)), done()) });
  const log = createLogger({ service: "gateway", level: "debug", pretty: false, destination });
  edge = await startEdge(fakes(), {
    log,
    config: { CANVASS_REQUEST_LOG: "all", CANVASS_RATE_LIMIT_LINKS: 30, ...limits },
  });
});
afterEach(() => edge[Symbol.asyncDispose]());

function fakes(): Parameters<typeof startEdge>[0] {
  const find = ({ by }: LinkRef) => {
    if (by.case === "code") world.sought.add(by.value);
    return by.case === "code" && by.value === code ? world.link : { found: false };
  };
  const respondent = {
    respondentId,
    surveyId,
    status: "started",
    pageId: "01h8x3k9q2m4a7zp",
    percentComplete: 50,
    language: "de",
    startedAt: timestampFromDate(new Date("2026-01-01T00:00:00Z")),
    answers: [{ elementId: "01h8x3k9q2w7d1ej", valueJson: '"01h8x3k9q2y0r3fm"' }],
  };
  const session = { respondent, workspaceId, versionId: "01h8x3k9q2v0v0vv" };
  return {
    links: {
      batchGetLinks: async ({ links }) => ({ links: links.map(find) }),
      batchCountOpened: async ({ opened }) => {
        world.opened.push(...opened.map(({ distributorId }) => distributorId));
        return {};
      },
    },
    survey: {
      getPublicSurvey: async ({ wantedLanguage }) => ({
        ...(wantedLanguage === "de" && { shownLanguage: "de", textsJson: germanTexts }),
        name: "Lunch",
        description: "How was it?",
        language: "en",
        collection: {
          found: true,
          active: true,
          versionId: "01h8x3k9q2v0v0vv",
          versionNumber: 1,
          settingsJson: JSON.stringify(settingsWithDefaults(world.settings as never)),
          ...world.collection,
        },
      }),
      batchGetVersions: async ({ versions }) => {
        world.versionsAsked += 1;
        return {
          versions: versions.map(({ versionId, language }) => ({
            versionId,
            languages: ["de"],
            definitionJson: JSON.stringify(language === "de" ? germanDefinition : definition),
          })),
        };
      },
    },
    linkResponses: {
      startLinkRespondent: async (request) => {
        world.entering += 1;
        await world.held;
        const { password } = JSON.parse(request.bodyJson) as { password?: string };
        if (password !== world.password && world.password !== "") {
          throw new AppError("validation_failed", { password: ["is not the right one"] });
        }
        world.starts.push(request);
        return { ...session, sessionToken };
      },
      getLinkRespondent: async (request) => {
        if (request.sessionToken !== sessionToken) throw new AppError("invalid_token");
        world.languagesAsked.push(request.language);
        return { ...session, ...(world.quotaFull && { quotaFull: world.quotaFull }) };
      },
      batchGetLinkUses: async (request) => {
        const isOwn = request.code === code && request.sessionToken === sessionToken;
        return { uses: [{ ...world.used, isOwn }] };
      },
      batchGetDistributorResults: async () => ({ results: [{ completed: world.completed }] }),
    },
    response: {
      batchSubmitAnswers: async ({ submissions }) => {
        world.submissions.push(...submissions);
        return {
          results: submissions.map((each) => ({
            outcome:
              each.sessionToken === sessionToken
                ? { case: "submitted" as const, value: { respondentId, respondentStatus: "completed", seenAt } }
                : { case: "error" as const, value: toErrorDetail(new AppError("invalid_token")) },
          })),
        };
      },
    },
  };
}

async function callLink(path: string, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  if (init.body) headers.set("content-type", "application/json");
  return read(await fetch(`${edge.url}/public/v1/links${path}`, { ...init, headers }));
}
const bearing = { "x-respondent-token": sessionToken };
const post = (body: object, headers: Record<string, string> = {}) => ({
  method: "POST",
  body: JSON.stringify(body),
  headers,
});

describe("opening a link", () => {
  test("returns what a page needs to start, counts the opening, and requests a version once", async () => {
    const { status, body } = await callLink(`/${code}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      state: "open",
      requiresPassword: false,
      survey: {
        name: "Lunch",
        language: "en",
        shownLanguage: "en",
        languages: ["en", "de"],
        settings: { completion: { message: "Thanks", redirectUrl: "https://s.example" }, display: { theme: "light" } },
      },
    });
    expect(Object.keys(body.data.survey.settings)).toEqual([
      "display",
      "navigation",
      "welcome",
      "completion",
      "locale",
    ]);
    const [question] = body.data.definition.pages[0].elements;
    expect(question.choices).toEqual([{ id: "01h8x3k9q2y0r3fm", text: "This" }]);
    world.link = { ...world.link, redirectUrl: "https://l.example" };
    const again = await callLink(`/${code}`);
    expect(again.body.data.survey.settings.completion.redirectUrl).toBe("https://l.example");
    expect(world.versionsAsked).toBe(1);
    await expect.poll(() => world.opened.length).toBe(2);
    expect(world.starts).toEqual([]);
  });

  test("gives all texts in the language that is asked for, and reads each version once for each language", async () => {
    for (const language of ["de", "de", "fr", "xx"]) {
      const { body } = await callLink(`/${code}?language=${language}`);
      const isGerman = language === "de";
      expect(body.data.survey).toMatchObject({
        name: isGerman ? "Mittagessen" : "Lunch",
        description: "How was it?",
        shownLanguage: isGerman ? "de" : "en",
        settings: { completion: { message: isGerman ? "Danke" : "Thanks" } },
      });
      expect(body.data.definition.pages[0].elements[0].choices[0].text).toBe(isGerman ? "Dies" : "This");
    }
    expect(world.versionsAsked).toBe(2);
    expect((await callLink(`/${code}?language=quagga!`)).status).toBe(422);
  });

  test.each([
    [{ hasPassword: true }, {}],
    [{}, { hasPassword: true }],
  ])("shows no question behind a password: %o %o", async (link, collection) => {
    Object.assign(world.link, link);
    Object.assign(world.collection, collection);
    const { data } = (await callLink(`/${code}`)).body;
    expect(data).toMatchObject({ state: "open", requiresPassword: true, definition: null });
  });

  test.each([
    [{ allowMultiple: true }, {}, true],
    [{}, {}, false],
    [{ allowMultiple: true }, { collection: { preventDuplicates: true } }, false],
    [{ allowMultiple: true, type: "single_use_link", linkId: "link000000000000" }, {}, false],
  ])("tells whether a device may answer again: %o %o", async (link, settings, allowsMultiple) => {
    Object.assign(world.link, link);
    world.settings = settings;
    expect((await callLink(`/${code}`)).body.data).toMatchObject({ state: "open", allowsMultiple });
  });

  test.each([
    ["personal_link", true],
    ["single_use_link", false],
    ["link", false],
  ])("tells whether its code stands for one respondent: %s", async (type, isPersonal) => {
    Object.assign(world.link, { type });
    expect((await callLink(`/${code}`)).body.data).toMatchObject({ isPersonal });
  });

  const timestamp = (text: string) => timestampFromDate(new Date(text));
  test.each([
    ["link_paused", { status: "paused" }, {}],
    ["link_closed", { status: "closed" }, {}],
    ["link_not_open_yet", { opensAt: timestamp("2999-01-01T00:00:00Z") }, {}],
    ["link_closed", { closesAt: timestamp("2020-01-01T00:00:00Z") }, {}],
    ["link_limit", { responseLimit: 3n }, {}],
    ["link_used", { type: "single_use_link", linkId: "link000000000000" }, {}],
    ["inactive", {}, { active: false }],
    ["not_published", {}, { versionId: "" }],
  ])("tells why it takes nobody: %s", async (reason, link, collection) => {
    Object.assign(world, { completed: 3n, used: { usedAt: "2026-01-01", status: "started" } });
    Object.assign(world.link, link);
    Object.assign(world.collection, collection);
    world.settings = { collection: { closedMessage: "Too late" } };
    const { data } = (await callLink(`/${code}`)).body;
    expect(data).toMatchObject({ state: "closed", reason, message: "Too late", definition: null });
    world.link = { ...world.link, closedMessage: "Come back" };
    expect((await callLink(`/${code}`)).body.data.message).toBe("Come back");
  });

  test("lets a respondent who has used a personal link continue until it completes", async () => {
    Object.assign(world.link, { type: "personal_link", linkId: "link000000000000" });
    world.used = { usedAt: "2026-01-01T00:00:00Z", status: "started", respondentId };
    expect((await callLink(`/${code}`)).body.data).toMatchObject({ state: "open", goesOn: true });
    // Where nothing leads from the link to answers, it is shown to its own session.
    world.used = { usedAt: "2026-01-01T00:00:00Z", status: "started", respondentId: "" };
    expect((await callLink(`/${code}`)).body.data).toMatchObject({ state: "closed", goesOn: false });
    expect((await callLink(`/${code}`, { headers: bearing })).body.data).toMatchObject({
      state: "open",
      goesOn: false,
    });
    world.used = { usedAt: "2026-01-01T00:00:00Z", status: "completed", respondentId };
    const closed = { state: "closed", reason: "link_used", goesOn: false };
    expect((await callLink(`/${code}`)).body.data).toMatchObject(closed);
    expect((await callLink(`/${code}`, { headers: bearing })).body.data.state).toBe("open");
  });

  test.each(["single_use_link", "personal_link"])("shows a used %s to its own session only", async (type) => {
    Object.assign(world.link, { type, linkId: "link000000000000" });
    world.used = { usedAt: "2026-01-01T00:00:00Z", status: "completed", respondentId };
    for (const token of ["x", `${sessionToken}x`, sessionToken.slice(0, -1)]) {
      const { data } = (await callLink(`/${code}`, { headers: { "x-respondent-token": token } })).body;
      expect(data).toMatchObject({ state: "closed", reason: "link_used", definition: null });
    }
    const { data } = (await callLink(`/${code}`, { headers: bearing })).body;
    expect(data).toMatchObject({ state: "open", definition: { pages: expect.any(Array) } });
  });

  test("does not count respondents who continue with a session", async () => {
    await callLink(`/${code}`, { headers: bearing });
    world.link = { ...world.link, distributorId: "distributor00001" };
    await callLink(`/${code}`);
    await expect.poll(() => world.opened).toEqual(["distributor00001"]);
  });

  test.each([
    "absent-absent-absent",
    "x",
    "x".repeat(10_000),
    "%00",
    "a%00b".repeat(5),
    "%F0%9F%98%80",
    "..%2F..",
    "%22",
  ])("of a code that is none is the same 404: %s", async (wrong) => {
    const answers = [await callLink(`/${wrong}`)];
    world.link = { ...world.link, status: "draft" };
    answers.push(await callLink(`/${code}`));
    for (const { status, body } of answers) {
      expect([status, body.error.code, body.error.details]).toEqual([404, "distributor_not_found", {}]);
    }
    expect(world.opened).toEqual([]);
  });

  test("the URL of a code that cannot be decoded is unknown", async () => {
    expect((await callLink("/%ff")).body.error.code).toBe("route_not_found");
  });
});

describe("a respondent", () => {
  test("starts with or without a body, and gets the definition to answer", async () => {
    const metadata = { from: "poster" };
    const started = await callLink(`/${code}/respondents`, post({ password: "p", language: "de", metadata }));
    expect([started.status, started.body.data]).toMatchObject([
      201,
      {
        respondentId,
        sessionToken,
        startedAt: "2026-01-01T00:00:00.000Z",
        ignored: 0,
        definition: { pages: [{ title: "One" }] },
      },
    ]);
    expect((await callLink(`/${code}/respondents`, { method: "POST" })).status).toBe(201);
    expect(world.starts).toMatchObject([
      { code, bodyJson: JSON.stringify({ password: "p", language: "de", metadata }) },
      { code, bodyJson: "{}" },
    ]);
  });

  test("reads its state and submits with its token only", async () => {
    const at = `/${code}/respondents/${respondentId}`;
    const own = await callLink(at, { headers: bearing });
    expect(own.body.data).toMatchObject({
      status: "started",
      pageId: "01h8x3k9q2m4a7zp",
      percentComplete: 50,
      language: "de",
      seenAt: null,
      answers: [{ elementId: "01h8x3k9q2w7d1ej", itemId: null, value: "01h8x3k9q2y0r3fm" }],
      definition: { pages: [{ id: "01h8x3k9q2m4a7zp" }] },
    });
    const quotaFull = { quotaId: "quota00000000000", name: "men", onFull: "close", message: "" };
    world.quotaFull = quotaFull;
    const full = await callLink(`${at}?language=fr`, { headers: bearing });
    expect(full.body.data).toMatchObject({ quotaFull: { ...quotaFull, message: null }, definition: {} });
    expect(world.languagesAsked).toEqual(["", "fr"]);
    const body = { responses: [], metadata: { complete: true } };
    const submitted = await callLink(`${at}/answers`, post(body, { ...bearing, "idempotency-key": "k" }));
    expect(submitted.body.data).toEqual({
      respondentId,
      respondentStatus: "completed",
      responses: [],
      seenAt: "2026-03-01T10:01:00.000Z",
      previousSeenAt: null,
    });
    expect(world.submissions[0]).toMatchObject({ caller: "", surveyId: "", code, respondentId, sessionToken });
    expect(JSON.parse(world.submissions[0]!.bodyJson)).toEqual(body);
    for (const [headers, expected] of [
      [{}, "unauthorized"],
      [{ "x-respondent-token": "other" }, "invalid_token"],
    ] as const) {
      for (const answer of [await callLink(at, { headers }), await callLink(`${at}/answers`, post(body, headers))]) {
        expect([answer.status, answer.body.error.code]).toEqual([401, expected]);
        // These callers have no API token and never will.
        expect(JSON.stringify(answer.body.error)).not.toMatch(/API token|Bearer|workspace/u);
        expect(answer.headers.get("www-authenticate")).toMatch(/^X-Respondent-Token /u);
      }
    }
    expect((await callLink(`/${code}/respondents/no-id`)).status).toBe(401);
    expect((await callLink(`/${code}/respondents/no-id`, { headers: bearing })).body.error.code).toBe(
      "respondent_not_found",
    );
  });

  test("is counted by client address and link when opening and starting, and not with a session", async () => {
    const statuses = [];
    for (let call = 0; call < 32; call += 1) statuses.push((await callLink(`/${code}`)).status);
    expect(statuses.slice(28)).toEqual([200, 200, 429, 429]);
    expect((await callLink(`/${code}/respondents`, post({}))).status).toBe(429);
    expect((await callLink("/another-code-of-a-link")).status).toBe(404);
    expect((await callLink(`/${code}/respondents/${respondentId}`, { headers: bearing })).status).toBe(200);
  });
});

describe("guesses", () => {
  const at = `/${code}/respondents/${respondentId}`;
  const guess = (number: number) => callLink(`/guessed-code-of-a-link-${number}`);
  const forge = (number: number) => callLink(at, { headers: { "x-respondent-token": `forged${number}` } });

  test("at codes and sessions are bounded by client address, and lock out none who are at work", async () => {
    expect((await callLink(`/${code}`)).status).toBe(200);
    for (let number = 0; number < 5; number += 1) expect((await guess(number)).status).toBe(404);
    for (let number = 0; number < 5; number += 1) expect((await forge(number)).status).toBe(401);
    const refused = await guess(5);
    expect([refused.status, refused.body.error.code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await forge(5)).status).toBe(429);
    expect((await callLink(`${at}/answers`, post({}, { "x-respondent-token": "forged6" }))).status).toBe(429);
    // Who opens the link meanwhile starts, and goes on with a session that nobody has seen yet.
    expect((await callLink(`/${code}`)).status).toBe(200);
    expect((await callLink(`/${code}/respondents`, post({}))).status).toBe(201);
    expect((await callLink(at, { headers: bearing })).status).toBe(200);
    expect((await fetch(`${edge.url}/s/${code}`)).status).toBe(200);
    expect((await fetch(`${edge.url}/s/guessed-code-of-a-link-7`)).status).toBe(429);
  });

  test("that a redirect or an opened link did not check are not taken for known", async () => {
    expect((await fetch(`${edge.url}/s/guessed-code-of-a-link-10/`, { redirect: "manual" })).status).toBe(308);
    expect((await callLink(`/${code}`, { headers: { "x-respondent-token": "forged10" } })).status).toBe(200);
    for (let number = 0; number < 10; number += 1) expect((await guess(number)).status).toBe(404);
    expect((await guess(10)).status).toBe(429);
    expect((await forge(10)).status).toBe(429);
    expect(world.sought).not.toContain("guessed-code-of-a-link-10");
  });

  test("that are the same count once: a dead link in many hands is no guess", async () => {
    for (let call = 0; call < 20; call += 1) expect((await guess(1)).status).toBe(404);
    expect((await guess(2)).status).toBe(404);
  });

  test("at a password are bounded apart from starts, one at a time or all at once", async () => {
    world.password = "sesame";
    const enter = (password: string) => callLink(`/${code}/respondents`, post({ password }));
    await edge[Symbol.asyncDispose]();
    edge = await startEdge(fakes());
    for (let call = 0; call < 70; call += 1) expect((await enter("sesame")).status).toBe(201);
    const statuses = await Promise.all(Array.from({ length: 80 }, async (_, call) => (await enter(`${call}`)).status));
    expect(statuses.filter((status) => status === 422)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test("at a password get nothing back of a minute in which they were not counted", async () => {
    world.password = "sesame";
    await edge[Symbol.asyncDispose]();
    let later = 0;
    // Not a fixed clock: signed callers end by the time of day.
    edge = await startEdge(fakes(), { now: () => new Date(Date.now() + later) });
    const enter = async (password: string) => (await callLink(`/${code}/respondents`, post({ password }))).status;
    // Right ones of one minute, which end in the next.
    const held = Promise.withResolvers<void>();
    world.held = held.promise;
    const right = Array.from({ length: 50 }, () => enter("sesame"));
    await expect.poll(() => world.entering).toBe(50);
    later = 61_000;
    world.held = undefined;
    expect(await enter("0")).toBe(422);
    held.resolve();
    expect(new Set(await Promise.all(right))).toEqual(new Set([201]));
    const statuses = await Promise.all(Array.from({ length: 80 }, (_, call) => enter(`${call}`)));
    expect(statuses.filter((status) => status === 422)).toHaveLength(59);
  });
});

test("neither code nor token nor password is in any log line, metric or idempotency scope", async () => {
  const at = `/${code}/respondents/${respondentId}`;
  const key = { "idempotency-key": "k" };
  await callLink(`/${code}`);
  await callLink(`/${code}/respondents`, post({ password: "open-sesame" }, key));
  await callLink(at, { headers: bearing });
  await callLink(`${at}/answers`, post({ responses: [] }, { ...bearing, ...key }));
  await edge.services.stop("distribution");
  await callLink(`/${code}`);
  const metrics = await (await fetch(`${edge.opsUrl}/metrics`)).text();
  const scopes = [world.starts[0]!.idempotency!.scope, world.submissions[0]!.idempotency!.scope];
  const all = [...world.lines, metrics, ...scopes].join("\n");
  for (const secret of [code, sessionToken, "open-sesame"]) expect(all).not.toContain(secret);
  expect(all).toContain('"route":"/public/v1/links/:code"');
  expect(scopes[0]).not.toBe(scopes[1]);
});

describe("pages of other origins", () => {
  const origin = "https://shop.example.org";
  const allowed = ({ headers }: { headers: Headers }) => headers.get("access-control-allow-origin");
  const preflight = { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } };

  test("may call where the link lets them, and only there", async () => {
    expect(allowed(await callLink(`/${code}`, { headers: { origin } }))).toBeNull();
    world.link = { ...world.link, allowedOrigins: [origin] };
    for (const path of [`/${code}`, `/${code}/respondents/${respondentId}`]) {
      expect(allowed(await callLink(path, { headers: { origin, ...bearing } }))).toBe(origin);
    }
    const asked = await callLink(`/${code}/respondents`, preflight);
    expect([asked.status, allowed(asked)]).toEqual([204, origin]);
    expect(asked.headers.get("access-control-allow-headers")).toContain("X-Respondent-Token");
    expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
    expect(allowed(await callLink("/absent-absent-absent", { headers: { origin } }))).toBeNull();
    expect(allowed(await callLink(`/${code}`, { headers: { origin: "https://evil.example" } }))).toBeNull();
    expect(allowed(await edge.call("/errors", { headers: { origin } }))).toBeNull();
  });

  test("guess codes within the limit only, by preflights too, and each counts once; what is known stays allowed", async () => {
    world.link = { ...world.link, allowedOrigins: [origin] };
    const wrong = (number: number) => `guessed-code-of-a-link-${number}`;
    expect(allowed(await callLink(`/${code}`, preflight))).toBe(origin);
    for (let number = 0; number < 5; number += 1) {
      expect((await callLink(`/${wrong(number)}`, { headers: { origin, ...bearing } })).status).toBe(404);
    }
    for (let number = 5; number < 12; number += 1)
      expect(allowed(await callLink(`/${wrong(number)}`, preflight))).toBeNull();
    const sought = Array.from({ length: 12 }, (_, number) => world.sought.has(wrong(number)));
    expect(sought.lastIndexOf(true)).toBe(9);
    expect((await callLink(`/${wrong(10)}`, { headers: { origin } })).status).toBe(429);
    expect(world.sought).not.toContain(wrong(10));
    expect(allowed(await callLink(`/${code}`, preflight))).toBe(origin);
  });
});

interface Paths {
  paths: Record<string, Record<string, { parameters: object[] }>>;
}

test("the document places these operations at the public address", async () => {
  const body = resolveReferences((await edge.call("/openapi.json")).body as Paths);
  const operation = body.paths["/public/v1/links/{code}/respondents"]!["post"];
  expect(operation).toMatchObject({ tags: ["Public"], security: [] });
  const { parameters } = body.paths["/public/v1/links/{code}/respondents/{respondentId}"]!["get"]!;
  expect(parameters).toContainEqual(expect.objectContaining({ name: "X-Respondent-Token", required: true }));
});

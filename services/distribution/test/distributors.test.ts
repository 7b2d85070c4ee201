import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  idempotency,
  newWorkspace,
  refusal,
  startDistribution,
  surveyId,
  type Distribution,
} from "./distribution-fixture.ts";

let system: Distribution;
beforeAll(async () => void (system = await startDistribution()));
afterAll(() => system[Symbol.asyncDispose]());

const createRaw = (workspaceId: string, body: unknown, options = {}) =>
  system.distributors.createDistributor({ surveyId, bodyJson: JSON.stringify(body) }, system.as(workspaceId, options));

describe("creating", () => {
  test("creates a draft with its own code; single-use and personal links have none", async () => {
    const w = newWorkspace();
    const link = await system.create(w, { name: "Poster" });
    expect(link).toMatchObject({ surveyId, type: "link", name: "Poster", status: "draft", issuedLinks: 0 });
    expect(link.code).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(link.stats).toMatchObject({ opened: 0n, started: 0n, completed: 0n });
    const embed = await system.create(w, { type: "embed" });
    expect(embed.code).not.toBe(link.code);
    for (const type of ["single_use_link", "personal_link"]) expect((await system.create(w, { type })).code).toBe("");
    expect(await system.get(w, link.distributorId)).toEqual(link);
  });

  test("refuses a name that shows nothing", async () => {
    for (const name of ["", " ", "\u200b", "\u202e\u2800"]) {
      const refused = await refusal(createRaw(newWorkspace(), { name, type: "link", surveyId }));
      expect(refused.details).toHaveProperty("name");
    }
  });

  test("reports all violations of the body at once, and writes nothing", async () => {
    const w = newWorkspace();
    const settings = { opensAt: 5, responseLimit: 0, redirectUrl: "ftp://x", colour: "red", allowedOrigins: ["x", 5] };
    const shape = await refusal(createRaw(w, { name: " ", type: "mail", settings, surveyId }));
    expect(shape.code).toBe("validation_failed");
    expect(Object.keys(shape.details).sort()).toEqual(
      [
        "name",
        "type",
        "surveyId",
        ...["opensAt", "responseLimit", "redirectUrl", "colour", "allowedOrigins.1"].map((key) => `settings.${key}`),
      ].sort(),
    );
    const rules = await refusal(
      createRaw(w, {
        name: "x",
        settings: {
          opensAt: "2026-03-02T00:00:00Z",
          closesAt: "2026-03-02T01:00:00+01:00",
          password: true,
          allowedOrigins: ["https://a.example", "https://a.example/", "https://a.example"],
        },
      }),
    );
    expect(Object.keys(rules.details)).toEqual(
      ["closesAt", "allowedOrigins.1", "allowedOrigins.2", "password"].map((key) => `settings.${key}`),
    );
    const { distributors } = await system.distributors.listDistributors({ surveyId, limit: 10 }, system.as(w));
    expect(distributors).toEqual([]);
    expect(await system.audited(w)).toEqual([]);
  });

  test("settings are kept; the password only as a hash", async () => {
    const w = newWorkspace();
    const settings = {
      opensAt: "2026-03-01T00:00:00+01:00",
      closesAt: "2026-04-01T00:00:00Z",
      responseLimit: 5,
      password: "open sesame",
      allowMultiple: true,
      closedMessage: "Too late",
      redirectUrl: "https://example.com/thanks",
      allowedOrigins: ["https://example.com", "http://localhost:3000"],
    };
    const created = await system.create(w, { settings });
    expect(timestampDate(created.settings!.opensAt!).toISOString()).toBe("2026-02-28T23:00:00.000Z");
    expect(created.settings).toMatchObject({
      responseLimit: 5n,
      hasPassword: true,
      allowMultiple: true,
      closedMessage: "Too late",
      redirectUrl: "https://example.com/thanks",
      allowedOrigins: settings.allowedOrigins,
    });
    const rows = await system.sql("SELECT settings::text FROM distributors WHERE workspace_id = $1", [w]);
    expect(JSON.stringify(rows)).not.toContain("sesame");
    const [entry] = await system.audited(w);
    expect(entry!.action).toBe("distributor.created");
    expect(JSON.parse(entry!.afterJson)).toMatchObject({ surveyId, type: "link", settings: { password: "set" } });
    expect(JSON.stringify(entry!.afterJson)).not.toMatch(new RegExp(`scrypt|sesame|${created.code}`));
  });

  test("needs a survey of the workspace, and the plan of its settings", async () => {
    const w = newWorkspace();
    for (const id of ["survey0000000002", "x", "", "a\0b"]) {
      const body = { surveyId: id, bodyJson: '{"name":"x"}' };
      expect(await refusal(system.distributors.createDistributor(body, system.as(w)))).toEqual({
        code: "survey_not_found",
        details: {},
      });
    }
    const settings = { responseLimit: 1, password: "x", redirectUrl: "https://example.com", allowMultiple: true };
    const locked = await refusal(createRaw(w, { name: "x", settings }, { plan: "free" }));
    const paths = ["settings.responseLimit", "settings.password", "settings.redirectUrl"];
    expect(locked).toEqual({
      code: "feature_locked",
      details: { feature: "distributor_settings", paths, required_plan: "professional" },
    });
    await createRaw(w, { name: "x", settings: { closedMessage: "Closed" } }, { plan: "free" });
  });

  test("happens once for an idempotency key; a retry gets the first response", async () => {
    const w = newWorkspace();
    const key = idempotency("k", "body");
    const first = await createRaw(w, { name: "Once" }, { idempotency: key });
    expect(await createRaw(w, { name: "Once" }, { idempotency: key })).toEqual(first);
    const { distributors } = await system.distributors.listDistributors({ surveyId, limit: 10 }, system.as(w));
    expect(distributors.map(({ name }) => name)).toEqual(["Once"]);
  });

  test("a survey has a thousand distributors at most, however many are created at once", async () => {
    const w = newWorkspace();
    await system.sql(
      `INSERT INTO distributors (workspace_id, distributor_id, survey_id, type, name, status, settings, time_zone, revision,
         created_at, updated_at)
       SELECT $1, lpad(n::text, 16, '0'), $2, 'link', 'x', 'draft', '{}', 'UTC', 1, now(), now()
       FROM generate_series(1, 995) AS n`,
      [w, surveyId],
    );
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => system.create(w)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await refusal(system.create(w))).toEqual({
      code: "quota_exceeded",
      details: { limit: 1000, requested: 1001, required_plan: null, unit: "distributors" },
    });
  });
});

describe("reach", () => {
  test("missing, foreign and malformed ids are refused in the same way", async () => {
    const { distributorId } = await system.create(newWorkspace());
    const stranger = system.as(newWorkspace());
    for (const id of [distributorId, "0".repeat(16), "", "../etc", "x".repeat(5000), "a\0b"]) {
      const change = { distributorId: id, ifMatch: ["*"], bodyJson: '{"name":"Mine"}' };
      const calls = [
        () => system.distributors.getDistributor({ distributorId: id }, stranger),
        () => system.distributors.moveDistributor({ distributorId: id, move: "activate" }, stranger),
        () => system.distributors.updateDistributor(change, stranger),
        () => system.distributors.replaceDistributorSettings({ ...change, bodyJson: "{}" }, stranger),
        () => system.distributors.deleteDistributor({ distributorId: id }, stranger),
        () => system.distributors.issueLinks({ distributorId: id, bodyJson: '{"count":1}' }, stranger),
        () => system.distributors.listIssuedLinks({ distributorId: id, limit: 10 }, stranger),
      ];
      for (const call of calls) expect(await refusal(call())).toEqual({ code: "distributor_not_found", details: {} });
    }
  });
});

describe("lists", () => {
  test("go through a survey's distributors newest first, page by page", async () => {
    const w = newWorkspace();
    const created: string[] = [];
    for (let n = 0; n < 5; n++) {
      created.push((await system.create(w, { name: `n${n}` })).distributorId);
      system.clock.advance(1);
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await system.distributors.listDistributors({ surveyId, limit: 2, cursor }, system.as(w));
      seen.push(...page.distributors.map(({ distributorId }) => distributorId));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(seen).toEqual(created.toReversed());
  });

  test("lists of a missing survey, or with an invalid cursor or limit, are refused", async () => {
    const w = newWorkspace();
    const list = (id: string, limit: number, cursor = "") =>
      refusal(system.distributors.listDistributors({ surveyId: id, limit, cursor }, system.as(w)));
    expect(await list("survey0000000002", 10)).toMatchObject({ code: "survey_not_found" });
    expect(Object.keys((await list(surveyId, 0, "x")).details)).toEqual(["limit", "cursor"]);
  });
});

describe("figures", () => {
  test("come from openings here and from respondents there", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w);
    system.others.results.set(distributorId, { started: 7n, completed: 3n });
    const key = { workspaceId: w, distributorId };
    const absent = { workspaceId: w, distributorId: "0".repeat(16) };
    await system.links.batchCountOpened({ opened: [key, absent, key, { workspaceId: w, distributorId: "x" }] });
    await Promise.all(Array.from({ length: 20 }, () => system.links.batchCountOpened({ opened: [key] })));
    expect((await system.get(w, distributorId)).stats).toMatchObject({ opened: 22n, started: 7n, completed: 3n });
  });

  test("reads need them, changes do without", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w);
    system.others.isResponseAway = true;
    try {
      const get = system.distributors.getDistributor({ distributorId }, system.as(w));
      expect(await refusal(get)).toMatchObject({ code: "service_unavailable" });
      const paused = await system.move(w, distributorId, "pause");
      expect([paused.status, paused.stats]).toEqual(["paused", undefined]);
    } finally {
      system.others.isResponseAway = false;
    }
  });
});

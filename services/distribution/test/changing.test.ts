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

const patch = (w: string, distributorId: string, body: unknown, ifMatch: string[], options = {}) =>
  system.distributors.updateDistributor(
    { distributorId, ifMatch, bodyJson: JSON.stringify(body) },
    system.as(w, options),
  );
const put = (w: string, distributorId: string, body: unknown, ifMatch = ["*"], options = {}) =>
  system.distributors.replaceDistributorSettings(
    { distributorId, ifMatch, bodyJson: JSON.stringify(body) },
    system.as(w, options),
  );
const remove = (w: string, distributorId: string, options = {}) =>
  system.distributors.deleteDistributor({ distributorId }, system.as(w, options));

describe("renaming", () => {
  test("needs the current ETag, and is audited", async () => {
    const w = newWorkspace();
    const { distributorId, etag } = await system.create(w, { name: "Old" });
    expect(await refusal(patch(w, distributorId, { name: "New" }, []))).toMatchObject({
      code: "precondition_required",
    });
    expect(await refusal(patch(w, distributorId, { name: "New" }, ['"x"']))).toMatchObject({
      code: "precondition_failed",
    });
    expect(await refusal(patch(w, distributorId, {}, [etag]))).toMatchObject({ code: "invalid_request" });
    const faulty = { name: "a\nb", status: "active" };
    expect(Object.keys((await refusal(patch(w, "absent", faulty, ["*"]))).details)).toEqual(["name", "status"]);
    const { distributor } = await patch(w, distributorId, { name: "New" }, ['"x"', etag]);
    expect(distributor!.name).toBe("New");
    expect(distributor!.etag).not.toBe(etag);
    const entry = (await system.audited(w)).at(-1)!;
    expect([entry.action, entry.beforeJson, entry.afterJson]).toEqual([
      "distributor.updated",
      '{"name":"Old"}',
      '{"name":"New"}',
    ]);
  });

  test("of sixteen writers with one tag one wins", async () => {
    const w = newWorkspace();
    const { distributorId, etag } = await system.create(w);
    const tries = Array.from({ length: 16 }, (_, n) => patch(w, distributorId, { name: `n${n}` }, [etag]));
    const outcomes = await Promise.allSettled(tries);
    const won = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.distributor!] : []));
    expect(won).toHaveLength(1);
    expect((await system.get(w, distributorId)).name).toBe(won[0]!.name);
  });
});

describe("settings", () => {
  test("are replaced whole; none is all defaults", async () => {
    const w = newWorkspace();
    const { distributorId, code } = await system.createActive(w, {
      settings: { responseLimit: 3, password: "sesame", redirectUrl: "https://example.com" },
    });
    const { distributor } = await put(w, distributorId, { allowMultiple: true, closedMessage: null });
    expect(distributor!.settings).toMatchObject({
      hasPassword: false,
      allowMultiple: true,
      redirectUrl: "",
      closedMessage: "",
    });
    expect(distributor!.settings!.responseLimit).toBeUndefined();
    expect(await system.linkOf(code)).toMatchObject({ hasPassword: false, allowMultiple: true, status: "active" });
    await put(w, distributorId, {});
    expect(await system.linkOf(code)).toMatchObject({ allowMultiple: false });
  });

  test("keep a password with true, and never show it", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.create(w, { settings: { password: "sesame" } });
    const check = async (password: string) =>
      (await system.links.checkLinkPassword({ workspaceId: w, distributorId, password })).matches;
    expect((await put(w, distributorId, { password: true, allowMultiple: true })).distributor!.settings).toMatchObject({
      hasPassword: true,
    });
    expect(await check("sesame")).toBe(true);
    await put(w, distributorId, { password: "other" });
    expect([await check("sesame"), await check("other")]).toEqual([false, true]);
    await put(w, distributorId, { password: false });
    expect(await refusal(put(w, distributorId, { password: true }))).toMatchObject({
      code: "validation_failed",
      details: { password: [expect.any(String)] },
    });
    const log = (await system.audited(w)).map(({ beforeJson, afterJson }) => beforeJson + afterJson).join();
    expect(log).not.toMatch(/sesame|other|scrypt/);
    expect(log).toContain('"password":"changed"');
  });

  test("are refused with every fault before anything is looked up, and then for their plan", async () => {
    const w = newWorkspace();
    const faulty = { closesAt: "tomorrow", opensAt: 1, responseLimit: 1.5, allowedOrigins: "x", nonsense: 1 };
    const { code, details } = await refusal(put(w, "absent", faulty));
    expect([code, Object.keys(details).sort()]).toEqual(["validation_failed", Object.keys(faulty).sort()]);
    const { distributorId, etag } = await system.create(w);
    expect(await refusal(put(w, distributorId, {}, ['"x"']))).toMatchObject({ code: "precondition_failed" });
    expect(await refusal(put(w, distributorId, { responseLimit: 1 }, ["*"], { plan: "starter" }))).toMatchObject({
      code: "feature_locked",
      details: { paths: ["responseLimit"], required_plan: "professional" },
    });
    expect((await system.get(w, distributorId)).etag).toBe(etag);
  });

  test("a time that is moved opens again what it had closed", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w, { settings: { closesAt: "2026-01-01T00:00:00Z" } });
    expect((await system.get(w, distributorId)).status).toBe("closed");
    expect((await put(w, distributorId, {})).distributor!.status).toBe("active");
  });

  test("a repetition with its key neither hashes nor writes again; the key of another body is refused first", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.create(w);
    const key = { idempotency: idempotency("k", "body") };
    const first = await put(w, distributorId, { password: "sesame" }, ["*"], key);
    expect(await put(w, distributorId, { password: "sesame" }, ["*"], key)).toEqual(first);
    expect(await system.audited(w)).toHaveLength(2);
    const reused = { idempotency: idempotency("k", "other") };
    expect(await refusal(put(w, distributorId, { password: 7 }, ["*"], reused))).toMatchObject({
      code: "idempotency_key_reused",
    });
  });
});

describe("deleting", () => {
  test("deletes a distributor without respondents, with its links", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w, { type: "single_use_link" });
    const bodyJson = '{"count":3}';
    const { links } = await system.distributors.issueLinks({ distributorId, bodyJson }, system.as(w));
    const options = { idempotency: idempotency("k", "") };
    await remove(w, distributorId, options);
    await remove(w, distributorId, options);
    expect(await refusal(remove(w, distributorId))).toMatchObject({ code: "distributor_not_found" });
    expect((await system.linkOf(links[0]!.code)).found).toBe(false);
    expect(await system.sql("SELECT FROM issued_links WHERE workspace_id = $1", [w])).toEqual([]);
    expect((await system.audited(w)).at(-1)!.action).toBe("distributor.deleted");
  });

  test("is refused once a respondent has started; the link keeps working", async () => {
    const w = newWorkspace();
    const { distributorId, code } = await system.createActive(w);
    system.others.results.set(distributorId, { started: 1n, completed: 0n });
    expect(await refusal(remove(w, distributorId))).toEqual({
      code: "distributor_has_responses",
      details: { started: 1 },
    });
    expect(await refusal(remove(w, distributorId))).toMatchObject({ code: "distributor_has_responses" });
    expect((await system.linkOf(code)).status).toBe("active");
  });

  test("deletes a draft without asking for respondents, because there are none", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.create(w);
    system.others.isResponseAway = true;
    try {
      await remove(w, distributorId);
    } finally {
      system.others.isResponseAway = false;
    }
    expect(await refusal(remove(w, distributorId))).toMatchObject({ code: "distributor_not_found" });
  });

  test("is answered only once the response service has it; a retry with the key pushes what is stored", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w);
    const options = { idempotency: idempotency("k", "") };
    const { intake } = system;
    intake.isAway = true;
    try {
      expect(await refusal(remove(w, distributorId, options))).toMatchObject({ code: "service_unavailable" });
      expect(await refusal(system.get(w, distributorId))).toMatchObject({ code: "distributor_not_found" });
    } finally {
      intake.isAway = false;
    }
    await remove(w, distributorId, options);
    expect(system.pushed(distributorId).at(-1)).toMatchObject({ found: false, workspaceId: w, surveyId });
  });

  test("is refused while it is unknown whether a respondent has started", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w);
    system.others.isResponseAway = true;
    try {
      expect(await refusal(remove(w, distributorId))).toMatchObject({ code: "service_unavailable" });
    } finally {
      system.others.isResponseAway = false;
    }
    expect((await system.get(w, distributorId)).status).toBe("active");
  });
});

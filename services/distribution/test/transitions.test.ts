import { DistributorService } from "@canvass/proto/distribution";
import { createRpcClient } from "@canvass/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { idempotency, newWorkspace, refusal, startDistribution, type Distribution } from "./distribution-fixture.ts";

let system: Distribution;
beforeAll(async () => void (system = await startDistribution()));
afterAll(() => system[Symbol.asyncDispose]());

const moving = (workspaceId: string, distributorId: string, move: string) =>
  system.distributors.moveDistributor({ distributorId, move }, system.as(workspaceId));

test("a distributor goes from draft to closed; only actual changes are in the audit log", async () => {
  const w = newWorkspace();
  const { distributorId, etag } = await system.create(w);
  expect(await refusal(moving(w, distributorId, "pause"))).toEqual({
    code: "invalid_transition",
    details: { state: "draft", allowed: ["activate"] },
  });
  const tags = new Set([etag]);
  for (const move of ["activate", "activate", "pause", "pause", "resume", "resume", "close", "close"]) {
    tags.add((await system.move(w, distributorId, move)).etag);
  }
  expect(tags.size).toBe(5);
  expect(await refusal(moving(w, distributorId, "resume"))).toMatchObject({
    details: { state: "closed", allowed: [] },
  });
  expect((await system.get(w, distributorId)).status).toBe("closed");
  const actions = ["created", "activated", "paused", "resumed", "closed"];
  const audited = await system.audited(w);
  expect(audited.map(({ action }) => action)).toEqual(actions.map((action) => `distributor.${action}`));
  expect(audited.at(-1)).toMatchObject({ beforeJson: '{"status":"active"}', afterJson: '{"status":"closed"}' });
});

test("of fifty activations at once one changes something, and all are answered alike", async () => {
  const w = newWorkspace();
  const { distributorId } = await system.create(w);
  const answers = await Promise.all(Array.from({ length: 50 }, () => system.move(w, distributorId, "activate")));
  expect(new Set(answers.map(({ status, etag }) => `${status} ${etag}`)).size).toBe(1);
  expect(await system.audited(w)).toHaveLength(2);
});

test("a time and a limit close a distributor by themselves; its tag changes, and it can only be closed for good", async () => {
  const w = newWorkspace();
  const closesAt = new Date(system.clock.now().getTime() + 60_000).toISOString();
  const timed = await system.createActive(w, { settings: { closesAt } });
  const limited = await system.createActive(w, { settings: { responseLimit: 2 } });
  expect([timed.status, limited.status]).toEqual(["active", "active"]);
  system.clock.advance(60_000);
  system.others.results.set(limited.distributorId, { started: 3n, completed: 2n });
  for (const { distributorId, etag } of [timed, limited]) {
    const closed = await system.get(w, distributorId);
    expect(closed.status).toBe("closed");
    expect(closed.etag).not.toBe(etag);
    expect(await refusal(moving(w, distributorId, "pause"))).toEqual({
      code: "invalid_transition",
      details: { state: "closed", allowed: ["close"] },
    });
    expect([etag, closed.etag]).not.toContain((await system.move(w, distributorId, "close")).etag);
  }
});

test("a distributor that its time has closed is changed by its tag from before and by the one from after", async () => {
  const w = newWorkspace();
  const closesAt = new Date(system.clock.now().getTime() + 60_000).toISOString();
  const active = await Promise.all([1, 2].map(() => system.createActive(w, { settings: { closesAt } })));
  system.clock.advance(60_000);
  const closed = await system.get(w, active[1]!.distributorId);
  for (const { distributorId, etag } of [active[0]!, closed]) {
    const rename = { distributorId, ifMatch: [etag], bodyJson: '{"name":"Another"}' };
    const { distributor } = await system.distributors.updateDistributor(rename, system.as(w));
    expect(distributor).toMatchObject({ name: "Another", status: "closed" });
    expect((await refusal(system.distributors.updateDistributor(rename, system.as(w)))).code).toBe(
      "precondition_failed",
    );
  }
});

test("a transition is answered once the response service has it, also when its answer is repeated elsewhere", async () => {
  const w = newWorkspace();
  const { distributorId } = await system.create(w);
  const options = system.as(w, { idempotency: idempotency("k", "") });
  const activate = { distributorId, move: "activate" };
  await using other = await system.startAnother();
  await using elsewhere = createRpcClient(DistributorService, { url: other.url });
  const { intake } = system;
  intake.isAway = true;
  try {
    const notYet = { code: "service_unavailable", details: { part: "response" } };
    expect(await refusal(system.distributors.moveDistributor(activate, options))).toEqual(notYet);
    expect((await system.get(w, distributorId)).status).toBe("active");
    expect(await refusal(elsewhere.moveDistributor(activate, options))).toEqual(notYet);
    expect(await refusal(system.move(w, distributorId, "activate"))).toEqual(notYet);
  } finally {
    intake.isAway = false;
  }
  expect(system.pushed(distributorId)).toEqual([]);
  await elsewhere.moveDistributor(activate, options);
  expect(system.pushed(distributorId)).toMatchObject([{ found: true, status: "active", revision: 2n }]);
  // The outbox brings what the process could not.
  expect(
    await system.sql("SELECT 1 FROM outbox_events WHERE workspace_id = $1 AND type = $2", [w, "collecting.changed"]),
  ).toHaveLength(1);
});

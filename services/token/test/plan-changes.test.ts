import { fromBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { EventSchema, type Event } from "@canvass/proto/events";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { codeOf, startTokenSystem } from "./token-system.ts";

const system = await sharedByFile(startTokenSystem());

async function outboxOf(workspaceId: string): Promise<{ awaiting: string[]; event: Event }[]> {
  const rows = await system.sql(
    "SELECT awaiting, payload FROM outbox_events WHERE workspace_id = $1 ORDER BY occurred_at",
    [workspaceId],
  );
  return rows.map((row) => ({
    awaiting: row["awaiting"] as string[],
    event: fromBinary(EventSchema, row["payload"] as Buffer),
  }));
}

const plansOf = async (workspaceId: string) =>
  (await outboxOf(workspaceId)).map(({ event: { body } }) =>
    body.case === "workspacePlanChanged" ? body.value.plan : body.case,
  );

test("a plan change is in the outbox for its two consumers; the same plan again, or an unknown one, publishes nothing", async () => {
  const { workspaceId } = await system.createWorkspace();
  expect(await outboxOf(workspaceId)).toEqual([]);
  await system.operator.setPlan({ workspaceId, plan: "free" });
  const [row, ...others] = await outboxOf(workspaceId);
  expect(others).toEqual([]);
  expect(row!.awaiting).toEqual(["plans", "plan-cancellations"]);
  expect(row!.event).toMatchObject({ workspaceId, body: { value: { plan: "free" } } });
  await system.operator.setPlan({ workspaceId, plan: "free" });
  expect(await codeOf(system.operator.setPlan({ workspaceId, plan: "gold" }))).toBe("validation_failed");
  expect(await outboxOf(workspaceId)).toHaveLength(1);
});

test("a change that cannot be published is rolled back", async () => {
  const { workspaceId } = await system.createWorkspace();
  await system.sql(`ALTER TABLE outbox_events ADD CONSTRAINT refused CHECK (workspace_id <> '${workspaceId}')`);
  expect(await codeOf(system.operator.setPlan({ workspaceId, plan: "free" }))).toBe("internal_error");
  await system.sql("ALTER TABLE outbox_events DROP CONSTRAINT refused");
  const plan = async () =>
    (await system.sql("SELECT plan FROM workspaces WHERE workspace_id = $1", [workspaceId]))[0]!["plan"];
  expect([await plan(), await plansOf(workspaceId)]).toEqual(["enterprise", []]);
  await system.operator.setPlan({ workspaceId, plan: "free" });
  expect([await plan(), await plansOf(workspaceId)]).toEqual(["free", ["free"]]);
});

test("each change has a later time than the last: in one millisecond, concurrently, or with the clock set back", async () => {
  const { workspaceId } = await system.createWorkspace();
  await system.operator.setPlan({ workspaceId, plan: "free" });
  await system.operator.setPlan({ workspaceId, plan: "starter" });
  await Promise.all(
    ["professional", "free", "enterprise"].map((plan) => system.operator.setPlan({ workspaceId, plan })),
  );
  await system.sql("UPDATE workspaces SET updated_at = updated_at + interval '1 hour' WHERE workspace_id = $1", [
    workspaceId,
  ]);
  await system.operator.setPlan({ workspaceId, plan: "starter" });
  const times = (await outboxOf(workspaceId)).map(({ event }) => timestampDate(event.occurredAt!).getTime());
  expect(times).toHaveLength(6);
  expect(new Set(times).size).toBe(6);
  expect((await plansOf(workspaceId)).at(-1)).toBe("starter");
  const [workspace] = await system.sql("SELECT updated_at FROM workspaces WHERE workspace_id = $1", [workspaceId]);
  expect((workspace!["updated_at"] as Date).getTime()).toBe(times.at(-1));
});

const pendingOf = async (...workspaceIds: string[]) =>
  (await system.peer.batchGetPendingPlanChanges({ workspaceIds })).events.map(({ workspaceId, body }) => [
    workspaceId,
    body.case === "workspacePlanChanged" ? body.value.plan : body.case,
  ]);

test("changes are pending until both webhook and delivery have confirmed them", async () => {
  const [one, two, other] = [1, 2, 3].map(() => system.createWorkspace());
  const [a, b, c] = (await Promise.all([one, two, other])).map((workspace) => workspace!.workspaceId);
  for (const workspaceId of [a!, b!, c!]) await system.operator.setPlan({ workspaceId, plan: "free" });
  await system.operator.setPlan({ workspaceId: a!, plan: "starter" });
  // A consumer confirms by leaving this list.
  await system.sql("UPDATE outbox_events SET awaiting = '{plan-cancellations}' WHERE workspace_id = $1", [b]);
  expect(await pendingOf(a!)).toEqual([
    [a, "free"],
    [a, "starter"],
  ]);
  expect(await pendingOf(b!)).toEqual([[b, "free"]]);
  expect(await pendingOf("nobody")).toEqual([]);
});

test("a request for pending changes waits for a change that is under way, and returns it", async () => {
  const { workspaceId } = await system.createWorkspace();
  const locking = await system.pool.connect();
  await locking.query("BEGIN");
  await locking.query("SELECT FROM workspaces WHERE workspace_id = $1 FOR NO KEY UPDATE", [workspaceId]);
  const waiting = async (count: number) =>
    waitFor(
      async () => {
        const rows = await system.sql(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return rows.length === count;
      },
      { describe: `${count} to wait for the workspace's row` },
    );
  const setting = system.operator.setPlan({ workspaceId, plan: "free" });
  await waiting(1);
  const asking = pendingOf(workspaceId);
  await waiting(2);
  await locking.query("COMMIT");
  locking.release();
  expect(await asking).toEqual([[workspaceId, "free"]]);
  await setting;
});

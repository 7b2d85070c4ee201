import { createWorkspace } from "@canvass/e2e";
import { waitFor } from "@canvass/testing";
import { Pool } from "pg";
import { readAttemptsBegun } from "./attempts-begun.ts";
import { countDue, insertBacklog } from "./backlog.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { measureCompletionLatencies } from "./completion-latencies.ts";
import { forgetPeak, peakMib } from "./process-tree.ts";
import { p99 } from "./p99.ts";
import { serviceDatabaseUrl } from "./service-database-url.ts";

/**
 * Measures resuming a webhook with a large backlog: the latency of another workspace's webhooks beside it and alone
 * (99th percentile), and the delivery process's peak memory while it drains and before.
 */
export async function measureResumedBacklog({ demo, receiver, size, say }: BenchContext): Promise<Measurement[]> {
  await using running = new AsyncDisposableStack();
  const pool = running.adopt(new Pool({ connectionString: serviceDatabaseUrl(demo, "delivery"), max: 1 }), (open) =>
    open.end(),
  );
  const quick = running.use(await createWorkspace(demo.system, "enterprise", { repeats: false }));
  await quick.api.post("/event-subscriptions", { name: "Quick", url: receiver.url });
  const measure = () => measureCompletionLatencies(quick.api, receiver, 3 * size.latencies);
  const pid = () => demo.system.local.processes.find(({ name }) => name === "delivery")!.pid;
  await measure();
  forgetPeak(pid());
  const alone = p99(await measure());
  const before = peakMib(pid());

  const { api, workspaceId } = running.use(await createWorkspace(demo.system, "enterprise", { repeats: false }));
  const url = `${new URL(receiver.url).origin}/backlog`;
  const { data } = await api.post("/event-subscriptions", { name: "Resumed", url });
  const path = `/event-subscriptions/${data.id}`;
  await api.call("PATCH", path, { body: { status: "paused" } });
  await insertBacklog(pool, [{ workspaceId, subscriptionId: data.id }], size.backlog);
  forgetPeak(pid());
  const started = performance.now();
  await api.call("PATCH", path, { body: { status: "active" } });
  const { new: begunBefore } = await readAttemptsBegun(demo.system);
  const beside = p99(await measure());
  const begun = (await readAttemptsBegun(demo.system)).new - begunBefore;
  const left = await countDue(pool);
  await waitFor(async () => (await countDue(pool)) === 0, { describe: "the backlog to drain", timeoutMs: 1_200_000 });
  const rate = (size.backlog / (performance.now() - started)) * 1000;
  const during = peakMib(pid());
  say(
    `resumed backlog: ${size.backlog} at ${Math.round(rate)} a second (${left} left at the end of the measurement), ` +
      `${during.toFixed(0)} MiB, ${before.toFixed(0)} before; beside it ${beside.toFixed(1)}, alone ${alone.toFixed(1)} ms (p99); ` +
      `${begun} of ${3 * size.latencies} of them began as they were queued`,
  );
  return [
    measured("resumed_backlog_p99", [beside], [alone], "ms, while it drains / quiet"),
    measured("resumed_backlog_memory", [during], [before], "MiB, while it drains / before"),
  ];
}

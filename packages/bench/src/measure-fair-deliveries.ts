import { createWorkspace } from "@canvass/e2e";
import { waitFor } from "@canvass/testing";
import { Pool } from "pg";
import { readAttemptsBegun } from "./attempts-begun.ts";
import { insertBacklog, type BacklogEndpoint } from "./backlog.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { measureCompletionLatencies } from "./completion-latencies.ts";
import { p99 } from "./p99.ts";
import { serviceDatabaseUrl } from "./service-database-url.ts";

/** Workspaces and hanging webhooks in each: as many as a workspace may have, and one. */
const GROUPS = [
  { workspaces: 10, webhooks: 20 },
  { workspaces: 20, webhooks: 1 },
];

/**
 * Measures one workspace's webhooks (99th percentile of milliseconds from the last page to the arrival) while 220
 * endpoints of other workspaces hang with due deliveries, and while there are none. Both runs use a newly started
 * process. Also prints how many deliveries were sent at once when they were queued, which does not depend on the
 * machine's load.
 */
export async function measureFairDeliveries({ demo, receiver, size, say }: BenchContext): Promise<Measurement> {
  await using running = new AsyncDisposableStack();
  const pool = running.adopt(new Pool({ connectionString: serviceDatabaseUrl(demo, "delivery"), max: 1 }), (open) =>
    open.end(),
  );
  const { api } = running.use(await createWorkspace(demo.system, "enterprise", { repeats: false }));
  await api.post("/event-subscriptions", { name: "Quick", url: receiver.url });
  const measure = () => measureCompletionLatencies(api, receiver, 3 * size.latencies);
  await measure();
  await demo.system.stop("delivery");
  await demo.system.start("delivery");
  const quiet = p99(await measure());

  const endpoints: BacklogEndpoint[] = [];
  const origin = new URL(receiver.url).origin;
  for (const { workspaces, webhooks } of GROUPS) {
    for (let made = 0; made < workspaces; made += 1) {
      const other = running.use(await createWorkspace(demo.system, "enterprise", { repeats: false }));
      for (let hook = 0; hook < webhooks; hook += 1) {
        const url = `${origin}/hang/${endpoints.length}`;
        const { data } = await other.api.post("/event-subscriptions", { name: "Hangs", url });
        endpoints.push({ workspaceId: other.workspaceId, subscriptionId: data.id });
      }
    }
  }
  await demo.system.stop("delivery");
  await insertBacklog(pool, endpoints, Math.ceil(size.backlog / 2 / endpoints.length));
  await demo.system.start("delivery");
  const hanging = async () =>
    (await pool.query("SELECT 1 FROM due_deliveries WHERE begun_at IS NOT NULL")).rowCount! > 0;
  await waitFor(hanging, { describe: "endpoints that hang", timeoutMs: 60_000 });
  const beside = p99(await measure());
  const begun = await readAttemptsBegun(demo.system);
  say(
    `fair deliveries: ${beside.toFixed(1)} beside ${endpoints.length} that hang, ${quiet.toFixed(1)} alone, ms (p99); ` +
      `${begun.new} of ${3 * size.latencies} began as they were queued`,
  );
  return measured("fair_deliveries_p99", [beside], [quiet], "ms, others hang / quiet");
}

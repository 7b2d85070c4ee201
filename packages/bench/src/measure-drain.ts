import { createWorkspace } from "@canvass/e2e";
import { Pool } from "pg";
import { insertBacklog } from "./backlog.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { barePerSecond, perSecond } from "./measure-deliveries.ts";
import { serviceDatabaseUrl } from "./service-database-url.ts";

/**
 * Measures draining a resumed webhook's backlog, from the first to the last arrival. The delivery service has sent
 * deliveries before.
 */
export async function measureDrain({ demo, receiver, size, say }: BenchContext): Promise<Measurement> {
  await using running = new AsyncDisposableStack();
  const pool = running.adopt(new Pool({ connectionString: serviceDatabaseUrl(demo, "delivery"), max: 1 }), (open) =>
    open.end(),
  );
  const { api, workspaceId } = running.use(await createWorkspace(demo.system, "enterprise", { repeats: false }));

  async function oursPerSecond(round: number): Promise<number> {
    const { data } = await api.post("/event-subscriptions", {
      name: `Drained ${round}`,
      url: `${receiver.url}/${round}`,
    });
    const path = `/event-subscriptions/${data.id}`;
    await api.call("PATCH", path, { body: { status: "paused" } });
    await insertBacklog(pool, [{ workspaceId, subscriptionId: data.id }], size.drained);
    await api.call("PATCH", path, { body: { status: "active" } });
    const rate = perSecond((await receiver.take(size.drained)).map(({ at }) => at));
    await api.call("DELETE", path);
    return rate;
  }

  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    ours.push(await oursPerSecond(round));
    bare.push(await barePerSecond(receiver, size.drained));
    say(`drain ${round + 1}: ${Math.round(ours[round]!)} ours, ${Math.round(bare[round]!)} bare deliveries/s`);
  }
  return measured("drain", ours, bare, "deliveries/s");
}

import { Health, HealthCheckResponse_ServingStatus as Status } from "@canvass/proto/health";
import { runChecks, type Checks } from "@canvass/telemetry";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { setTimeout as delay } from "node:timers/promises";

const watchIntervalMs = 1_000;

/** Serves grpc.health.v1 for the whole process ("") and for each service it offers. */
export function registerHealth(router: ConnectRouter, serviceNames: ReadonlySet<string>, checks: Checks): void {
  const statusOf = async (service: string): Promise<Status> => {
    if (service !== "" && !serviceNames.has(service)) return Status.SERVICE_UNKNOWN;
    const results = await runChecks(checks);
    return Object.values(results).every(Boolean) ? Status.SERVING : Status.NOT_SERVING;
  };

  router.service(Health, {
    check: async ({ service }) => {
      const status = await statusOf(service);
      if (status === Status.SERVICE_UNKNOWN) throw new ConnectError("unknown service", Code.NotFound);
      return { status };
    },
    watch: ({ service }, context) => watch(() => statusOf(service), context),
  });
}

async function* watch(status: () => Promise<Status>, { signal }: HandlerContext): AsyncGenerator<{ status: Status }> {
  let last: Status | undefined;
  while (!signal.aborted) {
    const current = await status();
    if (current !== last) yield { status: current };
    last = current;
    await delay(watchIntervalMs, undefined, { signal }).catch(() => undefined);
  }
}

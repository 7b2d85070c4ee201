import type { DescService } from "@bufbuild/protobuf";
import { EventIntakeService, type Event } from "@canvass/proto/events";
import { createRpcClient, type RpcClientOptions } from "@canvass/rpc";
import { createLogger, logLevelOf, type Logger } from "@canvass/telemetry";
import { createTestDatabase, fixedClock } from "@canvass/testing";
import { join } from "node:path";
import { Pool } from "pg";
import type { ServiceOverrides } from "../src/definition.ts";
import type { RunningService } from "../src/start-service.ts";
import { testEnvironment } from "./environment.ts";
import { testKeys } from "./keys.ts";

/** Long, because a busy machine may stop the process of a test for seconds. */
const probeTimeoutMs = 60_000;

export interface ServiceUnderTest<Config> {
  folder: string;
  readConfig: (environment: Record<string, string>) => Config;
  start: (config: Config, overrides: ServiceOverrides) => Promise<RunningService>;
}

export interface TestServiceOptions {
  /** Added to the common variables, or replacing them. */
  environment?: Record<string, string>;
  /** Default: a new database. */
  databaseUrl?: string;
  /** Absent: no bus; events wait in the outbox for the test. */
  natsUrl?: string;
  log?: Logger;
  /** Default: `clock`. */
  now?: () => Date;
}

export type TestService<Config> = Awaited<ReturnType<typeof startTestService<Config>>>;

/** Starts a real service on a new database, with a clock that stands at noon of 1 March 2026. */
export async function startTestService<Config>(
  { folder, readConfig, start }: ServiceUnderTest<Config>,
  options: TestServiceOptions = {},
) {
  await using starting = new AsyncDisposableStack();
  const migrations = join(folder, "prisma/migrations");
  const databaseUrl = options.databaseUrl ?? starting.use(await createTestDatabase(migrations)).url;
  const environment = { ...testEnvironment({ databaseUrl, natsUrl: options.natsUrl }), ...options.environment };
  const config = readConfig(environment);
  const clock = fixedClock("2026-03-01T12:00:00Z");
  const silent = createLogger({ service: "test", level: logLevelOf(process.env["TEST_LOG"]) ?? "silent" });
  const { now = clock.now, log = silent } = options;
  const startAnother = (overrides: ServiceOverrides = {}) => start(config, { now, log, ...overrides });
  const service = await startAnother();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= Promise.resolve(service[Symbol.asyncDispose]()));
  starting.defer(stop);
  const pool = starting.adopt(new Pool({ connectionString: databaseUrl, max: 3 }), (open) => open.end());
  // Tests cut connections; without a listener the pool would end the process.
  pool.on("error", () => undefined);
  const clients = starting.use(new AsyncDisposableStack());
  const client = <Service extends DescService>(
    definition: Service,
    given: Partial<RpcClientOptions> = { peerKey: testKeys.peerKey },
  ) => clients.use(createRpcClient(definition, { url: service.url, probeTimeoutMs, ...given }));
  const intake = client(EventIntakeService);
  const running = starting.move();
  return {
    /** To run the service in its own process. */
    environment,
    config,
    url: service.url,
    opsUrl: service.opsUrl,
    clock,
    databaseUrl,
    /** Direct connections to the database. */
    pool,
    sql: async <Row = Record<string, unknown>>(text: string, params?: unknown[]): Promise<Row[]> =>
      (await pool.query(text, params)).rows,
    /** Default: with the peer key. */
    client,
    /** Passes events to a consumer as the source does without a bus; returns the stored ids. */
    handOver: async (events: Event[], consumer: string) =>
      (await intake.handOverEvents({ consumer, events })).storedEventIds,
    stop,
    startAnother,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

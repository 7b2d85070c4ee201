import { connectBus, registerBusMetrics, type BusOptions } from "@canvass/events";
import { createKeyedSemaphore } from "@canvass/fairness";
import { registerCertificateEnds, type CertificateEnds } from "@canvass/rpc";
import { readTlsFiles } from "@canvass/rpc/tls-files";
import {
  createLogger,
  createMetrics,
  registerProcessMetrics,
  startOpsServer,
  watchEventLoop,
  type Logger,
  type Registry,
} from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import type { AddressInfo, Socket } from "node:net";
import { buildApp, type AppOverrides } from "./app.ts";
import { identityReader } from "./batches/identity-reader.ts";
import { elementLister } from "./batches/element-lister.ts";
import { linkFinder } from "./batches/link-finder.ts";
import { openedCounter } from "./batches/opened-counter.ts";
import { publicDefinitionReaders } from "./batches/public-definitions.ts";
import { createSurveyReader } from "./batches/survey-reader.ts";
import { answerSubmitter } from "./batches/answer-submitter.ts";
import type { GatewayConfig } from "./config.ts";
import type { GatewayContext } from "./context.ts";
import { createReportRenderer } from "./report/report-renderer.ts";
import { healthReporter } from "./clients/health-report.ts";
import { largeBodyLimits } from "./plugins/body/accept-large-bodies.ts";
import { createUploadPermits } from "./plugins/body/upload-permits.ts";
import { unreadLimits } from "./plugins/responses/limit-unread-responses.ts";
import { createClientKeys } from "./client-address/client-keys.ts";
import { createCountryLookup } from "./client-address/client-country.ts";
import { dropChangedIdentities } from "./plugins/authentication/drop-changed-identities.ts";
import { createIdentityCache } from "./plugins/authentication/identity-cache.ts";
import { openCountStore } from "./plugins/rate-limits/count-store.ts";
import { sharingGauge, startSharedCounts, type SharedCounts } from "./plugins/rate-limits/shared-counts.ts";
import { connectClients } from "./clients/service-clients.ts";
import { startTokenUses } from "./plugins/authentication/token-uses.ts";
import manifest from "../package.json" with { type: "json" };

export interface Gateway extends AsyncDisposable {
  url: string;
  opsUrl: string;
}

export interface GatewayOverrides extends AppOverrides {
  now?: () => Date;
  /** A monotonic clock in milliseconds, for the age of cached identities. */
  elapsed?: () => number;
  log?: Logger;
  /** Milliseconds between reports of uses of tokens. */
  tokenUsesMs?: number;
  sharedCounts?: { checkMs?: number; timeoutMs?: number };
  documentAtStart?: boolean;
}

/** Each open stream holds a few MiB of memory and a call to a service. */
const streamLimits = { perKey: 8, total: 64, reserved: 32, counted: "streams" };

/** Starts the gateway. Services may be down: requests that need them get 503. */
export async function startGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<Gateway> {
  const { now = () => new Date() } = overrides;
  const log = overrides.log ?? createLogger({ service: "gateway", level: config.CANVASS_LOG_LEVEL });
  await using stack = new AsyncDisposableStack();
  const tls = readTlsFiles(config);
  const metrics = createMetrics("gateway", config);
  registerProcessMetrics(metrics, { version: manifest.version, now });
  const certificates = registerCertificateEnds(metrics, tls);
  const clients = stack.use(connectClients(config, tls, metrics));
  const timeoutMs = config.CANVASS_REQUEST_TIMEOUT_MS;
  const identities = createIdentityCache({
    lookUp: identityReader(clients, timeoutMs),
    now,
    elapsed: overrides.elapsed,
  });
  const { NATS_URL: busUrl } = config;
  const onServerCertificate: BusOptions["onServerCertificate"] = (shown) => certificates.note("nats", shown);
  const bus = busUrl
    ? stack.use(connectBus({ url: busUrl, name: "gateway", log, tls, onServerCertificate }))
    : undefined;
  if (bus) registerBusMetrics(metrics, bus);
  if (bus) stack.use(dropChangedIdentities(bus, identities));
  const send = (uses: Parameters<typeof clients.tokens.recordTokenUses>[0]["uses"]) =>
    clients.tokens.recordTokenUses({ uses }, { timeoutMs: 2_000 });
  const tokenUses = stack.use(startTokenUses({ send, now, log, intervalMs: overrides.tokenUsesMs }));
  const sharedCounts = await openSharedCounts(config, { log, metrics, certificates, ...overrides.sharedCounts });
  if (sharedCounts) stack.use(sharedCounts);
  const context: GatewayContext = {
    config,
    log,
    now,
    clients,
    identities,
    tokenUses,
    sharedCounts,
    documentAtStart: overrides.documentAtStart ?? true,
    streams: createKeyedSemaphore(streamLimits),
    unread: createKeyedSemaphore(unreadLimits),
    uploads: createUploadPermits(),
    bodyPermits: createKeyedSemaphore(largeBodyLimits),
    clientKey: createClientKeys(),
    reports: stack.use(createReportRenderer({ log })),
    metrics,
    readSurvey: createSurveyReader(clients, timeoutMs),
    listElements: elementLister(clients, timeoutMs),
    submitAnswers: answerSubmitter(clients, timeoutMs),
    submitLinkAnswers: answerSubmitter(clients, timeoutMs),
    findLink: linkFinder(clients, timeoutMs),
    countOpened: openedCounter(clients, log),
    ...publicDefinitionReaders(clients, timeoutMs),
    countryOf: await createCountryLookup(config),
    health: healthReporter({ clients, now, ...(bus && { brokerConnected: () => bus.connected }) }),
  };

  const ops = stack.use(
    await startOpsServer({
      host: config.CANVASS_OPS_HOST,
      port: config.CANVASS_OPS_PORT,
      metrics: context.metrics,
      // Always ready: requests to missing services get 503.
      checks: {},
      drainDelayMs: config.CANVASS_DRAIN_DELAY_MS,
    }),
  );
  const app = await buildApp(context, overrides);
  stack.defer(() => close(app));
  await app.listen({ host: config.CANVASS_HOST, port: config.CANVASS_PORT });
  stack.defer(() => ops.beginDrain());
  stack.use(watchEventLoop(metrics));
  const started = stack.move();
  return {
    url: `http://${config.CANVASS_HOST}:${(app.server.address() as AddressInfo).port}`,
    opsUrl: ops.url,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function openSharedCounts(
  { CANVASS_RATE_LIMITS: limits, CANVASS_RATE_LIMIT_DATABASE_URL: url, CANVASS_PEER_KEY: secret }: GatewayConfig,
  {
    timeoutMs = 500,
    certificates,
    ...options
  }: { log: Logger; metrics: Registry; certificates: CertificateEnds; checkMs?: number; timeoutMs?: number },
): Promise<SharedCounts | undefined> {
  if (limits === "off" || url === undefined) {
    sharingGauge(options.metrics);
    return undefined;
  }
  const lost = (err: Error) => options.log.warn({ err }, "lost a connection to the store of rate limits");
  const connected = (socket: Socket) => certificates.noteSocket("postgresql", socket);
  const store = openCountStore(url, timeoutMs, lost, connected);
  return startSharedCounts({ ...options, store, secret });
}

const drainMs = 10_000;

async function close(app: FastifyInstance): Promise<void> {
  const { server } = app;
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const forced = setTimeout(() => server.closeAllConnections(), drainMs);
  await app.close();
  clearInterval(idle);
  clearTimeout(forced);
}

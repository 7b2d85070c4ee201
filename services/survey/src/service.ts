import { callerPublicKey, createCallerVerifier } from "@canvass/access";
import {
  connectIntakes,
  createEventReceiver,
  openEventBus,
  registerEventIntake,
  startConsumer,
  startInboxPurge,
  startOutbox,
} from "@canvass/events";
import { createCursorCodec, recogniseDatabaseError, startIdempotencyPurge } from "@canvass/postgres";
import { idempotencyService } from "@canvass/postgres/rpc";
import { IdempotencyService } from "@canvass/proto/rpc";
import { ResponseService } from "@canvass/proto/response";
import { SurveyService } from "@canvass/proto/survey";
import { bind, clientTls, createRpcClient, startRpcHost, type RpcHost } from "@canvass/rpc";
import { createLogger, createMetrics, type Logger } from "@canvass/telemetry";
import type { ConnectRouter } from "@connectrpc/connect";
import type { SurveyConfig } from "./config.ts";
import { countResponses, responseCountsConsumer } from "./consumers/count-responses.ts";
import type { SurveyContext } from "./context.ts";
import { createElementPages } from "./element-pages.ts";
import { openSurveyDatabase } from "./open-survey-database.ts";
import { addQuestions } from "./rpc/add-questions.ts";
import { batchGetCollections } from "./rpc/batch-get-collections.ts";
import { batchGetSurveys } from "./rpc/batch-get-surveys.ts";
import { batchGetVersions } from "./rpc/batch-get-versions.ts";
import { batchListElements } from "./rpc/batch-list-elements.ts";
import { createSurvey } from "./rpc/create-survey.ts";
import { listSurveys } from "./rpc/list-surveys.ts";
import { publishSurvey } from "./rpc/publish-survey.ts";
import { updateSurvey } from "./rpc/update-survey.ts";

export interface SurveyOverrides {
  now?: () => Date;
  log?: Logger;
}

/** Less than a caller's deadline, so that a change that must know of responses is refused while there is time to say so. */
const responseTimeoutMs = 3_000;

/**
 * Starts the service, also while its database or NATS is away: it is ready once the database answers. Disposing drains
 * calls, then closes what they used.
 */
export async function startSurveyService(config: SurveyConfig, overrides: SurveyOverrides = {}): Promise<RpcHost> {
  const { now = () => new Date(), log = createLogger({ service: "survey", level: config.CANVASS_LOG_LEVEL }) } =
    overrides;
  await using starting = new AsyncDisposableStack();
  const metrics = createMetrics("survey");
  const peer = { peerKey: config.CANVASS_PEER_KEY, tls: clientTls(config), metrics };
  const database = starting.use(openSurveyDatabase(config, log));
  const { sql, pool } = database;
  const onFailure = (err: unknown): void => log.warn({ err }, "expired idempotency records could not be purged");
  starting.use(startIdempotencyPurge({ sql, now, onFailure }));
  starting.use(startInboxPurge({ sql, now, log }));
  const bus = starting.use(openEventBus(config, { name: "survey", log }));
  const intakes = starting.use(connectIntakes("survey", (service) => addressOf(config, service), peer));
  const outbox = starting.use(startOutbox({ source: "survey", pool, bus, intakes, log, metrics, now }));
  const receiver = createEventReceiver({
    consumer: responseCountsConsumer,
    sql,
    store: (events) => countResponses(pool, events, now()),
    log,
    metrics,
    now,
  });
  const context: SurveyContext = {
    database,
    verifyCaller: createCallerVerifier(callerPublicKey(config.CANVASS_CALLER_PUBLIC_KEY), now),
    cursors: createCursorCodec(config.CANVASS_CURSOR_KEY),
    elementPages: createElementPages(sql),
    responses: starting.use(
      createRpcClient(ResponseService, {
        name: "response",
        url: config.CANVASS_RESPONSE_URL,
        defaultTimeoutMs: responseTimeoutMs,
        ...peer,
      }),
    ),
    now,
    nudgeOutbox: () => outbox.nudge(),
  };
  const host = starting.use(
    await startRpcHost({
      config,
      databasePool: config.CANVASS_DATABASE_POOL,
      now,
      log,
      metrics,
      recogniseError: recogniseDatabaseError,
      checks: { database: async () => (await sql.query("SELECT 1 AS alive")).length === 1 },
      routes: (router) => {
        registerRpcs(router, context);
        registerEventIntake(router, [receiver]);
      },
    }),
  );
  starting.use(startConsumer({ bus, receiver, log }));
  const running = starting.move();
  return { url: host.url, opsUrl: host.opsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function registerRpcs(router: ConnectRouter, context: SurveyContext): void {
  router.service(SurveyService, {
    batchGetSurveys: bind(context, batchGetSurveys),
    listSurveys: bind(context, listSurveys),
    createSurvey: bind(context, createSurvey),
    updateSurvey: bind(context, updateSurvey),
    batchListElements: bind(context, batchListElements),
    addQuestions: bind(context, addQuestions),
    publishSurvey: bind(context, publishSurvey),
    batchGetCollections: bind(context, batchGetCollections),
    batchGetVersions: bind(context, batchGetVersions),
  });
  router.service(IdempotencyService, idempotencyService(context.database.sql, context.now));
}

/** Where those are reached who await this service's events, as the event catalogue lists them. */
function addressOf(config: SurveyConfig, service: string): string {
  if (service === "token") return config.CANVASS_TOKEN_URL;
  throw new Error(`the address of the service ${service} is not known`);
}

import { callerPublicKey, createCallerVerifier } from "@canvass/access";
import { connectIntakes, openEventBus, startOutbox } from "@canvass/events";
import { openDatabase, recogniseDatabaseError, startIdempotencyPurge } from "@canvass/postgres";
import { idempotencyService } from "@canvass/postgres/rpc";
import { ResponseService } from "@canvass/proto/response";
import { IdempotencyService } from "@canvass/proto/rpc";
import { SurveyService } from "@canvass/proto/survey";
import { bind, bindStream, clientTls, createRpcClient, startRpcHost } from "@canvass/rpc";
import { Counter, createLogger, createMetrics, type Logger, type Registry } from "@canvass/telemetry";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { ResponseConfig } from "./config.ts";
import type { ResponseContext, ResponseMetrics } from "./context.ts";
import { batchSubmitAnswers } from "./rpc/batch-submit-answers.ts";
import { getRespondent } from "./rpc/get-respondent.ts";
import { hasResponses } from "./rpc/has-responses.ts";
import { startRespondent } from "./rpc/start-respondent.ts";
import { streamAggregation } from "./rpc/stream-aggregation.ts";
import { createResultReaders } from "./result-readers.ts";
import { createStartStore } from "./store-starts.ts";
import { createSurveyDirectory } from "./survey-directory.ts";

export interface ResponseOverrides {
  log?: Logger;
  now?: () => Date;
}

export interface RunningResponseService extends AsyncDisposable {
  url: string;
  opsUrl: string;
}

/** Composition root: opens what the service needs, in order; disposing closes it in reverse. */
export async function startResponseService(
  config: ResponseConfig,
  { log = createLogger({ service: "response" }), now = () => new Date() }: ResponseOverrides = {},
): Promise<RunningResponseService> {
  await using starting = new AsyncDisposableStack();
  const metrics = createMetrics("response");
  const db = starting.use(
    openDatabase({
      url: config.DATABASE_URL,
      poolSize: config.CANVASS_DATABASE_POOL,
      applicationName: "canvass-response",
      createPrisma: (adapter) => new PrismaClient({ adapter }),
      onConnectionLost: (error) => log.warn({ err: error }, "a database connection was lost"),
    }),
  );
  starting.use(startIdempotencyPurge({ sql: db.sql, now, onFailure: (err) => log.warn({ err }, "the purge failed") }));
  const peer = { peerKey: config.CANVASS_PEER_KEY, tls: clientTls(config), metrics };
  const surveyClient = starting.use(
    createRpcClient(SurveyService, { name: "survey", url: config.CANVASS_SURVEY_URL, ...peer }),
  );
  const bus = starting.use(openEventBus(config, { name: "response", log }));
  const intakes = starting.use(connectIntakes("response", (service) => consumerUrl(config, service), peer));
  const outbox = starting.use(startOutbox({ source: "response", pool: db.pool, bus, intakes, log, metrics, now }));

  const context: ResponseContext = {
    db,
    surveys: createSurveyDirectory(surveyClient),
    resultReaders: createResultReaders(),
    outbox,
    storeStart: createStartStore(db.pool, now),
    verifyCaller: createCallerVerifier(callerPublicKey(config.CANVASS_CALLER_PUBLIC_KEY), now),
    recogniseError: recogniseDatabaseError,
    now,
    log,
    metrics: responseMetrics(metrics),
  };
  const host = starting.use(
    await startRpcHost({
      config,
      databasePool: config.CANVASS_DATABASE_POOL,
      now,
      log,
      metrics,
      checks: { database: async () => (await db.sql.query("SELECT 1 AS alive")).length === 1 },
      recogniseError: recogniseDatabaseError,
      routes: (router) => {
        router.service(IdempotencyService, idempotencyService(db.sql, now));
        router.service(ResponseService, {
          startRespondent: bind(context, startRespondent),
          getRespondent: bind(context, getRespondent),
          batchSubmitAnswers: bind(context, batchSubmitAnswers),
          streamAggregation: bindStream(context, streamAggregation),
          hasResponses: bind(context, hasResponses),
        });
      },
    }),
  );
  const running = starting.move();
  return { url: host.url, opsUrl: host.opsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function consumerUrl(config: ResponseConfig, service: string): string {
  const urls: Record<string, string> = {
    survey: config.CANVASS_SURVEY_URL,
    webhook: config.CANVASS_WEBHOOK_URL,
    delivery: config.CANVASS_DELIVERY_URL,
  };
  const url = urls[service];
  if (!url) throw new Error(`the response service has no address of ${service}`);
  return url;
}

function responseMetrics(registry: Registry): ResponseMetrics {
  const completed = new Counter({
    name: "canvass_responses_completed_total",
    help: "Respondents that completed a survey, tests left out",
    registers: [registry],
  });
  return { completed: (count) => completed.inc(count) };
}

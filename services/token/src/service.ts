import { callerPrivateKey } from "@canvass/access";
import {
  announce,
  connectIntakes,
  createEventReceiver,
  openEventBus,
  registerEventIntake,
  startConsumer,
  startOutbox,
  type EventReceiver,
} from "@canvass/events";
import { openMailer } from "@canvass/mail";
import {
  createCursorCodec,
  openDatabase,
  recogniseDatabaseError,
  startIdempotencyPurge,
  type Database,
} from "@canvass/postgres";
import { idempotencyService } from "@canvass/postgres/rpc";
import { IdempotencyService } from "@canvass/proto/rpc";
import { AuditService, OperatorService, TokenService as TokenRpcs } from "@canvass/proto/token";
import { bind, clientTls, startRpcHost, type RpcHost } from "@canvass/rpc";
import { createLogger, createMetrics, type Logger } from "@canvass/telemetry";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import { createCallerSigner } from "./caller-signer.ts";
import { requireKeyPair, type TokenConfig } from "./config.ts";
import { auditConsumer, recordChanges } from "./consumers/record-changes.ts";
import type { TokenContext } from "./context.ts";
import { startMails } from "./mail/start-mails.ts";
import { addPerson } from "./rpc/add-person.ts";
import { batchAuthenticate } from "./rpc/batch-authenticate.ts";
import { createRole } from "./rpc/create-role.ts";
import { createToken } from "./rpc/create-token.ts";
import { createWorkspace } from "./rpc/create-workspace.ts";
import { getToken } from "./rpc/get-token.ts";
import { issueToken } from "./rpc/issue-token.ts";
import { listAuditLog } from "./rpc/list-audit-log.ts";
import { listTokens } from "./rpc/list-tokens.ts";
import { listWorkspaceAuditLog } from "./rpc/list-workspace-audit-log.ts";
import { recordTokenUses } from "./rpc/record-token-uses.ts";
import { revokeToken } from "./rpc/revoke-token.ts";
import { rotateToken } from "./rpc/rotate-token.ts";
import { setPlan } from "./rpc/set-plan.ts";
import { setRole } from "./rpc/set-role.ts";
import { updateToken } from "./rpc/update-token.ts";
import { createWriteGate } from "./write-gate.ts";

/** Connections that writes leave to authentication and to the outbox. */
const reservedConnections = 3;

export type TokenService = RpcHost;

export interface TokenOverrides {
  now?: () => Date;
  log?: Logger;
}

/** Starts the service; it is ready once its database answers. Disposing drains calls, then closes what they used. */
export async function startTokenService(config: TokenConfig, overrides: TokenOverrides = {}): Promise<TokenService> {
  const { now = () => new Date(), log = createLogger({ service: "token", level: config.CANVASS_LOG_LEVEL }) } =
    overrides;
  const privateKey = callerPrivateKey(config.CANVASS_CALLER_PRIVATE_KEY);
  requireKeyPair(privateKey, config.CANVASS_CALLER_PUBLIC_KEY);
  const mailer = openMailer(config, log);
  const metrics = createMetrics("token");
  await using starting = new AsyncDisposableStack();
  const database = starting.use(openTokenDatabase(config, log));
  const tls = clientTls(config);
  const bus = starting.use(openEventBus(config, { name: "token", log }));
  const intakes = starting.use(
    connectIntakes("token", (service) => addressOf(config, service), {
      peerKey: config.CANVASS_PEER_KEY,
      tls,
      metrics,
    }),
  );
  const outbox = starting.use(startOutbox({ source: "token", pool: database.pool, bus, intakes, log, metrics, now }));
  const onFailure = (err: unknown): void => log.warn({ err }, "expired idempotency records could not be purged");
  starting.use(startIdempotencyPurge({ sql: database.sql, now, onFailure }));
  const context: TokenContext = {
    database,
    now,
    signIdentity: createCallerSigner(privateKey, now),
    writeGate: createWriteGate(config.CANVASS_DATABASE_POOL - reservedConnections),
    cursors: createCursorCodec(config.CANVASS_CURSOR_KEY),
    committed: (events) => {
      outbox.nudge();
      for (const event of events) announce(bus, event);
    },
  };
  const receiver = createEventReceiver({
    consumer: auditConsumer,
    sql: database.sql,
    store: (events) => recordChanges(context, events),
    log,
    metrics,
    now,
  });
  const { writeGate } = context;
  const mails = starting.use(startMails({ database, mailer, now, log, metrics, writeGate }));
  const host = starting.use(
    await startRpcHost({
      config,
      databasePool: config.CANVASS_DATABASE_POOL,
      now,
      log,
      metrics,
      recogniseError: recogniseDatabaseError,
      operatorKey: config.CANVASS_OPERATOR_KEY,
      checks: { database: async () => (await database.sql.query("SELECT 1")).length === 1 },
      routes: (router) => registerRpcs(router, context, [receiver, mails.receiver]),
    }),
  );
  starting.use(startConsumer({ bus, receiver, log }));
  starting.use(startConsumer({ bus, receiver: mails.receiver, log }));
  const running = starting.move();
  return { url: host.url, opsUrl: host.opsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Where those are reached who await this service's events, as the event catalogue lists them. */
function addressOf(config: TokenConfig, service: string): string {
  if (service === "webhook") return config.CANVASS_WEBHOOK_URL;
  if (service === "delivery") return config.CANVASS_DELIVERY_URL;
  throw new Error(`the address of the service ${service} is not known`);
}

function openTokenDatabase(config: TokenConfig, log: Logger): Database<PrismaClient> {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.CANVASS_DATABASE_POOL,
    applicationName: "token",
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    onConnectionLost: (error) => log.warn({ err: error }, "an idle database connection was lost"),
  });
}

function registerRpcs(router: ConnectRouter, context: TokenContext, receivers: readonly EventReceiver[]): void {
  router.service(TokenRpcs, {
    batchAuthenticate: bind(context, batchAuthenticate),
    listTokens: bind(context, listTokens),
    getToken: bind(context, getToken),
    createToken: bind(context, createToken),
    updateToken: bind(context, updateToken),
    revokeToken: bind(context, revokeToken),
    rotateToken: bind(context, rotateToken),
    recordTokenUses: bind(context, recordTokenUses),
  });
  router.service(AuditService, { listAuditLog: bind(context, listAuditLog) });
  router.service(OperatorService, {
    createWorkspace: bind(context, createWorkspace),
    setPlan: bind(context, setPlan),
    addPerson: bind(context, addPerson),
    setRole: bind(context, setRole),
    createRole: bind(context, createRole),
    issueToken: bind(context, issueToken),
    listWorkspaceAuditLog: bind(context, listWorkspaceAuditLog),
  });
  router.service(IdempotencyService, idempotencyService(context.database.sql, context.now));
  registerEventIntake(router, receivers);
}

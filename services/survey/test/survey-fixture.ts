import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createCallerVerifier, newCaller, signCaller } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { EventIntakeService } from "@canvass/proto/events";
import { ResponseService } from "@canvass/proto/response";
import { IdempotencySchema, IdempotencyService, type Replay } from "@canvass/proto/rpc";
import { SurveyService, type Survey } from "@canvass/proto/survey";
import {
  callOptions,
  createRpcClient,
  fromErrorDetail,
  startRpcServer,
  type CallContext,
  type RpcClient,
} from "@canvass/rpc";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { createTestDatabase } from "@canvass/testing";
import { generateKeyPairSync, hash, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import type { SurveyConfig } from "../src/config.ts";
import { startSurveyService } from "../src/service.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const peerKey = "p".repeat(32);
const keys = generateKeyPairSync("ed25519");

export interface PersonOptions {
  workspaceId?: string;
  personId?: string;
  plan?: string;
}

/** Somebody who calls: signed as the token service would. */
export function signedPerson({
  workspaceId = "workspace0000001",
  personId = "person0000000001",
  plan = "enterprise",
}: PersonOptions = {}): string {
  const expiresAt = timestampFromDate(new Date(Date.now() + 3_600_000));
  return signCaller(newCaller({ workspaceId, personId, plan, expiresAt }), keys.privateKey);
}

export interface FixtureOptions {
  /** Instead of a database of its own. */
  databaseUrl?: string;
  now?: () => Date;
  natsUrl?: string;
}

/** The real service over a real database, and what a test needs to speak to it. */
export async function startSurveyFixture({ databaseUrl, now, natsUrl = "nats://127.0.0.1:1" }: FixtureOptions = {}) {
  await using starting = new AsyncDisposableStack();
  const url = databaseUrl ?? starting.use(await createTestDatabase(migrations)).url;
  const answered = new Set<string>();
  const responses = starting.use(await startResponseDouble(answered));
  const config: SurveyConfig = {
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: 0,
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: 0,
    CANVASS_LOG_LEVEL: "silent",
    CANVASS_PEER_KEY: peerKey,
    CANVASS_CALLER_PUBLIC_KEY: keys.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    CANVASS_TOKEN_URL: "http://127.0.0.1:1",
    CANVASS_RESPONSE_URL: responses.url,
    CANVASS_CURSOR_KEY: randomBytes(32).toString("base64"),
    CANVASS_DATABASE_POOL: 10,
    DATABASE_URL: url,
    NATS_URL: natsUrl,
    CANVASS_NATS_REPLICAS: 1,
  };
  const log = createLogger({ service: "survey", level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
  const service = starting.use(await startSurveyService(config, now ? { now, log } : { log }));
  const client = starting.use(createRpcClient(SurveyService, { url: service.url, peerKey }));
  const idempotency = starting.use(createRpcClient(IdempotencyService, { url: service.url }));
  const intake = starting.use(createRpcClient(EventIntakeService, { url: service.url, peerKey }));
  const pool = starting.adopt(new Pool({ connectionString: url, max: 2 }), (open) => open.end());
  // A test that ends its own connections is not to die of it.
  pool.on("error", () => undefined);
  const running = starting.move();
  return {
    client,
    idempotency,
    intake,
    opsUrl: service.opsUrl,
    /** Ids of the surveys that somebody has answered; tests change it at will. */
    answered,
    stopResponseService: () => responses[Symbol.asyncDispose](),
    /** Rows, straight from the database. */
    rows: async <Row>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as Row[],
    ...shorthands(client),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A response service that knows from memory which surveys were answered. */
function startResponseDouble(answered: ReadonlySet<string>) {
  return startRpcServer({
    host: "127.0.0.1",
    port: 0,
    log: createLogger({ service: "test", level: "silent" }),
    metrics: createMetrics("response-double"),
    verifyCaller: createCallerVerifier(keys.publicKey, () => new Date()),
    peerKey,
    checks: {},
    drainMs: 100,
    routes: (router) => {
      router.service(ResponseService, {
        hasResponses: async ({ surveyId }) => ({ hasResponses: answered.has(surveyId) }),
      });
    },
  });
}

export type SurveyFixture = Awaited<ReturnType<typeof startSurveyFixture>>;

const asPerson = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });

/** An element as callers read it. */
// oxlint-disable-next-line typescript/no-explicit-any
type ElementView = Record<string, any>;

function shorthands(client: RpcClient<typeof SurveyService>) {
  async function listPage(page: { surveyId: string; limit: number; page: number }, caller = signedPerson()) {
    const { outcome } = (await client.batchListElements({ pages: [{ caller, ...page }] })).results[0]!;
    if (outcome.case === "error") throw fromErrorDetail(outcome.value);
    if (outcome.case !== "page") throw new Error("a page of its own was left out");
    const { elementsJson, total } = outcome.value;
    return { elements: JSON.parse(elementsJson) as ElementView[], total };
  }

  return {
    async create(body: unknown, context?: CallContext): Promise<Survey> {
      const { survey } = await client.createSurvey({ bodyJson: JSON.stringify(body) }, asPerson(context));
      return survey!;
    },
    async patch(surveyId: string, ifMatch: string, body: unknown, context?: CallContext): Promise<Survey> {
      const request = { surveyId, ifMatch: [ifMatch], bodyJson: JSON.stringify(body) };
      return (await client.updateSurvey(request, asPerson(context))).survey!;
    },
    async add(surveyId: string, body: unknown, context?: CallContext) {
      const request = { surveyId, bodyJson: JSON.stringify(body) };
      return (await client.addQuestions(request, asPerson(context))).questions;
    },
    publish(surveyId: string, ifMatch = "*", context?: CallContext) {
      return client.publishSurvey({ surveyId, ifMatch: [ifMatch] }, asPerson(context));
    },
    async elements(surveyId: string) {
      return (await listPage({ surveyId, limit: 100, page: 1 })).elements;
    },
    listPage,
    async read(surveyId: string, caller = signedPerson()): Promise<Survey> {
      const { results } = await client.batchGetSurveys({ surveys: [{ caller, surveyId }] });
      const outcome = results[0]!.outcome;
      if (outcome.case !== "survey") throw new Error(outcome.value?.code);
      return outcome.value;
    },
  };
}

/** What a call was refused with: code and details. Fails when it was not refused. */
export async function refusal(call: Promise<unknown>): Promise<{ code: string; details: Record<string, unknown> }> {
  const error = await call.then(
    () => new Error("the call was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error;
  return { code: error.code, details: error.details };
}

/** A call that names its write, and how often its answer was a replay. */
export function idempotent(
  key: string,
  body: unknown,
  fields: { requestId?: string; signedCaller?: string; answeredAt?: Date } = {},
) {
  const replays: Replay[] = [];
  const context: CallContext = {
    signedCaller: fields.signedCaller ?? signedPerson(),
    idempotency: create(IdempotencySchema, {
      key,
      scope: "token1 POST /surveys",
      bodySha256: hash("sha256", JSON.stringify(body), "buffer"),
      requestId: fields.requestId ?? "request1",
      answeredAt: timestampFromDate(fields.answeredAt ?? new Date()),
    }),
    onReplay: (replay) => replays.push(replay),
  };
  return { context, replays };
}

export const question = (text: string, fields: object = {}) => ({ type: "short_text", text, ...fields });

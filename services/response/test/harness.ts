import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { create } from "@bufbuild/protobuf";
import { createCallerVerifier, newCaller, signCaller } from "@canvass/access";
import { ResponseService } from "@canvass/proto/response";
import { IdempotencySchema } from "@canvass/proto/rpc";
import { SurveyService } from "@canvass/proto/survey";
import type { Question, SurveyDefinition, SurveySettingsPatch } from "@canvass/questions";
import { callOptions, createRpcClient, startRpcServer, type RpcClient } from "@canvass/rpc";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { createTestDatabase, fixedClock, type FixedClock } from "@canvass/testing";
import type { CallOptions } from "@connectrpc/connect";
import { createHash, generateKeyPairSync } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { readResponseConfig } from "../src/config.ts";
import { startResponseService } from "../src/service.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));
const keys = generateKeyPairSync("ed25519");
const peerKey = "p".repeat(44);
const log = createLogger({ service: "test", level: "silent" });

export const workspaceId = "workspace1000000";
export const surveyId = "survey1000000000";

/** An id of the right form that a test can read. */
export const testId = (name: string): string => name.padEnd(16, "0");

export function ratingQuestion(name: string, required = false): Question {
  return {
    elementId: testId(name),
    questionId: testId(`q${name}`),
    type: 8,
    text: name,
    helpText: null,
    typeSettings: { steps: 6, style: "number", labels: [] },
    responseValidation: { required },
  };
}

export function numberQuestion(name: string): Question {
  return { ...ratingQuestion(name), type: 3, typeSettings: { min: null, max: null, decimals: null } };
}

/** What the survey service says of the one survey; tests change it at will. */
export interface SurveyState {
  found: boolean;
  active: boolean;
  versionNumber: number;
  settings: SurveySettingsPatch;
  /** By version number. */
  versions: Map<number, SurveyDefinition>;
  /** Questions about how it collects so far, and what their answers wait for. */
  asked: number;
  hangs: Promise<void> | undefined;
  /** Other surveys, which every workspace has; the only version of each has its id and the first definition. */
  others: Set<string>;
  /** The questions for versions of these workspaces wait for this. */
  versionsHang: { workspaces: Set<string>; until: Promise<void> } | undefined;
}

export interface ResponseHarness extends AsyncDisposable {
  client: RpcClient<typeof ResponseService>;
  survey: SurveyState;
  clock: FixedClock;
  pool: Pool;
  databaseUrl: string;
  opsUrl: string;
  stopSurveyService(): Promise<void>;
  signed(overrides?: Parameters<typeof newCaller>[0]): string;
  start(overrides?: Parameters<typeof newCaller>[0]): Promise<string>;
  submit(body: object, options?: SubmitOptions): Promise<SubmitOutcome>;
  submitAll(submissions: { body: object; options?: SubmitOptions }[]): Promise<SubmitOutcome[]>;
}

export interface SubmitOptions {
  caller?: string;
  key?: string;
  surveyId?: string;
}

export type SubmitOutcome =
  | { code: string; details: Record<string, unknown> }
  | { code: "submitted"; status: string; replayOf?: string; answerIds: string[] };

/** The real service over a database of its own, with a survey service that answers from memory. */
export async function startHarness(pages: Question[][]): Promise<ResponseHarness> {
  await using starting = new AsyncDisposableStack();
  const clock = fixedClock("2026-03-01T10:00:00Z");
  const survey: SurveyState = {
    found: true,
    active: true,
    versionNumber: 1,
    settings: {},
    versions: new Map([[1, definitionOf(pages)]]),
    asked: 0,
    hangs: undefined,
    others: new Set(),
    versionsHang: undefined,
  };
  const surveyService = await startSurveyDouble(survey);
  starting.use(surveyService);
  const database = starting.use(await createTestDatabase(migrations));
  const service = starting.use(
    await startResponseService(
      readResponseConfig({
        DATABASE_URL: database.url,
        // Nobody listens there: events wait in the outbox, where tests look at them.
        NATS_URL: "nats://127.0.0.1:1",
        CANVASS_RPC_HOST: "127.0.0.1",
        CANVASS_RPC_PORT: "0",
        CANVASS_OPS_HOST: "127.0.0.1",
        CANVASS_OPS_PORT: "0",
        CANVASS_PEER_KEY: peerKey,
        CANVASS_CURSOR_KEY: "c".repeat(44),
        CANVASS_CALLER_PUBLIC_KEY: keys.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
        CANVASS_SURVEY_URL: surveyService.url,
        CANVASS_WEBHOOK_URL: "http://127.0.0.1:1",
        CANVASS_DELIVERY_URL: "http://127.0.0.1:1",
      }),
      { log, now: clock.now },
    ),
  );
  const client = starting.use(createRpcClient(ResponseService, { url: service.url, peerKey }));
  const pool = new Pool({ connectionString: database.url, max: 2 });
  // Tests take the server's connections away; a pool without a listener would end the process then.
  pool.on("error", () => undefined);
  starting.defer(() => pool.end());

  const signed: ResponseHarness["signed"] = (overrides = {}) =>
    signCaller(
      newCaller({
        workspaceId,
        personId: "person1000000000",
        tokenId: "token10000000000",
        live: true,
        timeZone: "Europe/Berlin",
        expiresAt: timestampFromDate(new Date("2030-01-01T00:00:00Z")),
        ...overrides,
      }),
      keys.privateKey,
    );
  const submitAll: ResponseHarness["submitAll"] = async (submissions) => {
    const request = submissions.map(({ body, options = {} }) => toSubmission(body, options, signed()));
    const { results } = await client.batchSubmitAnswers({ submissions: request });
    return results.map(({ outcome, replay }): SubmitOutcome => {
      if (outcome.case === "error") {
        return { code: outcome.value.code, details: JSON.parse(outcome.value.detailsJson || "{}") };
      }
      return {
        code: "submitted",
        status: outcome.value!.respondentStatus,
        answerIds: outcome.value!.answers.map(({ answerId }) => answerId),
        ...(replay && { replayOf: replay.requestId }),
      };
    });
  };
  const running = starting.move();
  return {
    client,
    survey,
    clock,
    pool,
    databaseUrl: database.url,
    opsUrl: service.opsUrl,
    stopSurveyService: async () => surveyService[Symbol.asyncDispose](),
    signed,
    start: async (overrides) => {
      const answer = await client.startRespondent({ surveyId }, callOptions({ signedCaller: signed(overrides) }));
      return answer.respondent!.respondentId;
    },
    submit: async (body, options) => (await submitAll([{ body, ...(options && { options }) }]))[0]!,
    submitAll,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The survey's results, put together from their pieces. */
export async function readAggregation(client: ResponseHarness["client"], options: CallOptions) {
  const pieces = await Array.fromAsync(client.streamAggregation({ surveyId }, options));
  return { ...pieces[0]!.summary!, questionStats: pieces.flatMap(({ questionStats }) => questionStats), pieces };
}

export function definitionOf(pages: Question[][]): SurveyDefinition {
  return {
    pages: pages.map((elements, index) => ({
      pageId: testId(`page${index + 1}`),
      title: null,
      loop: null,
      skipLogic: [],
      elements,
    })),
  };
}

function startSurveyDouble(survey: SurveyState) {
  const versionId = (number: number) => testId(`version${number}`);
  return startRpcServer({
    host: "127.0.0.1",
    port: 0,
    log,
    metrics: createMetrics("survey-double"),
    verifyCaller: createCallerVerifier(keys.publicKey, () => new Date()),
    peerKey,
    checks: {},
    routes: (router) => {
      router.service(SurveyService, {
        batchGetCollections: async ({ surveys }) => {
          survey.asked += 1;
          await survey.hangs;
          return {
            collections: surveys.map((ref) => ({
              found:
                survey.others.has(ref.surveyId) ||
                (survey.found && ref.workspaceId === workspaceId && ref.surveyId === surveyId),
              active: survey.active,
              versionId: survey.others.has(ref.surveyId)
                ? ref.surveyId
                : survey.versionNumber === 0
                  ? ""
                  : versionId(survey.versionNumber),
              versionNumber: survey.versionNumber,
              settingsJson: JSON.stringify(survey.settings),
            })),
          };
        },
        batchGetVersions: async ({ versions }) => {
          const { versionsHang } = survey;
          if (versions.some((ref) => versionsHang?.workspaces.has(ref.workspaceId))) await versionsHang!.until;
          return {
            versions: versions.map((ref) => {
              const number = Number(/version(\d)/.exec(ref.versionId)?.[1] ?? 1);
              return {
                versionId: ref.versionId,
                versionNumber: number,
                definitionJson: JSON.stringify(survey.versions.get(number)),
              };
            }),
          };
        },
      });
    },
  });
}

function toSubmission(body: object, options: SubmitOptions, signedCaller: string) {
  const bodyJson = JSON.stringify(body);
  const idempotency = options.key
    ? create(IdempotencySchema, {
        key: options.key,
        scope: "token10000000000 POST /x",
        bodySha256: createHash("sha256").update(bodyJson).digest(),
        requestId: `first-${options.key}`,
        answeredAt: timestampFromDate(new Date("2026-03-01T10:00:00Z")),
      })
    : undefined;
  return { caller: options.caller ?? signedCaller, surveyId: options.surveyId ?? surveyId, bodyJson, idempotency };
}

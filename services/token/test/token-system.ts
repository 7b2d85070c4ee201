import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { callerPrivateKey, createCallerVerifier, isTokenValue, tokenSha256 } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { AuditService, OperatorService, TokenService, type CreateTokenResponse } from "@canvass/proto/token";
import { callOptions, createRpcClient, fromErrorDetail, type CallContext, type RpcClient } from "@canvass/rpc";
import { createLogger, type Logger } from "@canvass/telemetry";
import { createTestDatabase, fixedClock, type FixedClock } from "@canvass/testing";
import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { readTokenConfig, startTokenService, type TokenConfig } from "../src/index.ts";

export interface Workspace {
  workspaceId: string;
  personId: string;
  tokenId: string;
  tokenValue: string;
}

/** A live token named "a token" with the default scopes, unless said otherwise. */
export interface WantedToken {
  name?: string;
  live?: boolean;
  scopes?: readonly string[];
  expiresAt?: Date;
}

/** The real service over a database of its own, spoken to through the real clients. */
export interface TokenSystem extends AsyncDisposable {
  url: string;
  opsUrl: string;
  config: TokenConfig;
  clock: FixedClock;
  peer: RpcClient<typeof TokenService>;
  audit: RpcClient<typeof AuditService>;
  operator: RpcClient<typeof OperatorService>;
  /** Runs one statement on the service's database, as another program would. */
  sql(text: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  createWorkspace(fields?: { plan?: string; ownerEmail?: string; timeZone?: string }): Promise<Workspace>;
  createToken(giver: string, wanted?: WantedToken): Promise<CreateTokenResponse>;
  /** The caller behind a token value, read from its signature, or the code of the refusal. */
  authenticate(tokenValue: string, workspaceId?: string): Promise<Caller | string>;
  /** Call options of whoever holds the token. */
  as(tokenValue: string, context?: CallContext & { workspaceId?: string }): Promise<ReturnType<typeof callOptions>>;
}

export interface TokenSystemOptions {
  log?: Logger;
  natsUrl?: string;
  /** Set besides what every test needs. */
  environment?: Record<string, string>;
  /** Instead of a database of its own. */
  databaseUrl?: string;
  /** Stands between the service and its database. */
  through?: (databaseUrl: string) => Promise<string>;
}

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

export async function startTokenSystem(options: TokenSystemOptions = {}): Promise<TokenSystem> {
  await using starting = new AsyncDisposableStack();
  const databaseUrl = options.databaseUrl ?? starting.use(await createTestDatabase(migrations)).url;
  const config = testConfig((await options.through?.(databaseUrl)) ?? databaseUrl, options);
  const clock = fixedClock("2026-03-01T12:00:00Z");
  const log = options.log ?? createLogger({ service: "token", level: "silent" });
  const service = starting.use(await startTokenService(config, { now: clock.now, log }));
  const peer = starting.use(createRpcClient(TokenService, { url: service.url, peerKey: config.CANVASS_PEER_KEY }));
  const audit = starting.use(createRpcClient(AuditService, { url: service.url }));
  const operator = starting.use(
    createRpcClient(OperatorService, { url: service.url, operatorKey: config.CANVASS_OPERATOR_KEY }),
  );
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  starting.defer(() => client.end());
  const publicKey = createPublicKey(callerPrivateKey(config.CANVASS_CALLER_PRIVATE_KEY));
  const verify = createCallerVerifier(publicKey, clock.now);

  async function identify(tokenValue: string, workspaceId: string): Promise<string | AppError> {
    const { authentications } = await peer.batchAuthenticate({
      credentials: [{ tokenSha256: tokenSha256(tokenValue), workspaceId }],
    });
    const outcome = authentications[0]!.outcome;
    if (outcome.case === "identity") return outcome.value.signedCaller;
    return outcome.case === "error" ? fromErrorDetail(outcome.value) : new AppError("internal_error");
  }

  async function as(tokenValue: string, { workspaceId = "", ...context }: CallContext & { workspaceId?: string } = {}) {
    const identity = await identify(tokenValue, workspaceId);
    if (typeof identity !== "string") throw identity;
    return callOptions({ ...context, signedCaller: identity });
  }

  const running = starting.move();
  let created = 0;
  return {
    url: service.url,
    opsUrl: service.opsUrl,
    config,
    clock,
    peer,
    audit,
    operator,
    sql: async (text, params) => (await client.query(text, params)).rows as Record<string, unknown>[],
    createWorkspace: async (fields = {}) => {
      created += 1;
      const request = { name: `Workspace ${created}`, plan: "enterprise", ownerName: "Ada", timeZone: "UTC" };
      const made = await operator.createWorkspace({ ...request, ownerEmail: `p${created}@example.com`, ...fields });
      if (!isTokenValue(made.tokenValue)) throw new Error("the service made a malformed token");
      return made;
    },
    authenticate: async (tokenValue, workspaceId = "") => {
      const identity = await identify(tokenValue, workspaceId);
      if (typeof identity !== "string") return identity.code;
      return verify(identity) ?? "badly signed";
    },
    as,
    createToken: async (giver, { scopes, expiresAt, ...rest } = {}) =>
      peer.createToken(
        {
          name: "a token",
          live: true,
          ...rest,
          ...(scopes ? { scopes: { scopes: [...scopes] } } : {}),
          ...(expiresAt ? { expiresAt: timestampFromDate(expiresAt) } : {}),
        },
        await as(giver),
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export function testConfig(
  databaseUrl: string,
  { natsUrl = "nats://127.0.0.1:9", environment = {} }: Pick<TokenSystemOptions, "natsUrl" | "environment"> = {},
): TokenConfig {
  const keys = generateKeyPairSync("ed25519");
  return readTokenConfig({
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: "0",
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: "0",
    CANVASS_PEER_KEY: randomBytes(32).toString("base64"),
    CANVASS_CURSOR_KEY: randomBytes(32).toString("base64"),
    CANVASS_OPERATOR_KEY: randomBytes(32).toString("base64"),
    CANVASS_CALLER_PRIVATE_KEY: keys.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    CANVASS_CALLER_PUBLIC_KEY: keys.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    CANVASS_WEBHOOK_URL: "http://127.0.0.1:9",
    CANVASS_DELIVERY_URL: "http://127.0.0.1:9",
    DATABASE_URL: databaseUrl,
    NATS_URL: natsUrl,
    ...environment,
  });
}

/** What the audit log holds of a new workspace, oldest first. */
export const firstActions = ["workspace.created", "person.added", "token.created"];

/** The code with which a call was refused, or "fine". */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "fine",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

/** The error with which a call was refused; throws when it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<AppError> {
  return call.then(
    () => {
      throw new Error("the call was not refused");
    },
    (error: AppError) => error,
  );
}

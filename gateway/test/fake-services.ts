import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createCallerVerifier, newCaller, newTokenValue, signCaller, expandScopes, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { DeliveryService } from "@canvass/proto/delivery";
import { DistributorService } from "@canvass/proto/distribution";
import { ContactService } from "@canvass/proto/distribution-contacts";
import { LinkService } from "@canvass/proto/distribution-links";
import { ExportService } from "@canvass/proto/exports";
import { FileService } from "@canvass/proto/files";
import { ResponseService } from "@canvass/proto/response";
import { ResponseImportService } from "@canvass/proto/response-imports";
import { LinkResponseService } from "@canvass/proto/response-links";
import { ReplaySchema } from "@canvass/proto/rpc";
import { SurveySchema, type Survey } from "@canvass/proto/survey";
import { SurveyService } from "@canvass/proto/survey-service";
import { AuditService, AuthenticationSchema, TokenService, type Credential } from "@canvass/proto/token";
import { FeedService, SubscriptionService } from "@canvass/proto/webhook";
import { startRpcServer, toErrorDetail, type RpcServer } from "@canvass/rpc";
import { createLogger, createMetrics, type Checks } from "@canvass/telemetry";
import type { ServiceImpl } from "@connectrpc/connect";
import { createHash, generateKeyPairSync } from "node:crypto";
import { serviceNames, type ServiceName } from "@canvass/processes";

const keys = generateKeyPairSync("ed25519");
export const peerKey = "peer-key-peer-key-peer-key-peer-key";

/** Doubles of the services' methods for one test. Missing methods are unimplemented. */
export interface FakeServices {
  token?: Partial<ServiceImpl<typeof TokenService>>;
  audit?: Partial<ServiceImpl<typeof AuditService>>;
  survey?: Partial<ServiceImpl<typeof SurveyService>>;
  response?: Partial<ServiceImpl<typeof ResponseService>>;
  exports?: Partial<ServiceImpl<typeof ExportService>>;
  files?: Partial<ServiceImpl<typeof FileService>>;
  responseImports?: Partial<ServiceImpl<typeof ResponseImportService>>;
  contact?: Partial<ServiceImpl<typeof ContactService>>;
  links?: Partial<ServiceImpl<typeof LinkService>>;
  linkResponses?: Partial<ServiceImpl<typeof LinkResponseService>>;
  subscription?: Partial<ServiceImpl<typeof SubscriptionService>>;
  feed?: Partial<ServiceImpl<typeof FeedService>>;
  distributor?: Partial<ServiceImpl<typeof DistributorService>>;
  delivery?: Partial<ServiceImpl<typeof DeliveryService>>;
  checks?: Partial<Record<ServiceName, Checks>>;
  /** Awaited before each look-up of credentials. */
  beforeAuthentication?: () => Promise<void>;
}

export interface KnownToken {
  value: string;
  tokenId: string;
}

export interface RunningServices extends AsyncDisposable {
  urls: Record<ServiceName, string>;
  /** Creates a valid token. `allowed` lists the scopes that its role allows; default: all. */
  issueToken(scopes: Scope[], options?: { allowed?: Scope[]; tokenId?: string }): KnownToken;
  /** Refuses the token from now on. */
  revoke(token: KnownToken): void;
  /** Credentials that the token service looked up, in order. */
  readonly asked: readonly Credential[];
  stop(name: ServiceName): Promise<void>;
}

/** Starts a real RPC server for each service, backed by doubles. */
export async function startFakeServices(fakes: FakeServices = {}): Promise<RunningServices> {
  const callers = new Map<string, Caller | AppError>();
  const asked: Credential[] = [];
  const authenticate: ServiceImpl<typeof TokenService>["batchAuthenticate"] = async ({ credentials }) => {
    asked.push(...credentials);
    await fakes.beforeAuthentication?.();
    return { authentications: credentials.map((credential) => authentication(callers, credential)) };
  };
  const servers = new Map<ServiceName, RpcServer>();
  for (const name of serviceNames) servers.set(name, await startServer(name, fakes, authenticate));

  return {
    urls: Object.fromEntries([...servers].map(([name, { url }]) => [name, url])) as Record<ServiceName, string>,
    asked,
    issueToken(scopes, { allowed, tokenId = `token${String(callers.size).padStart(11, "0")}` } = {}) {
      const value = newTokenValue(true);
      const held = expandScopes(scopes);
      callers.set(
        sha256(value),
        callerWith({ tokenId, scopes: held, permissions: allowed ? expandScopes(allowed) : held }),
      );
      return { value, tokenId };
    },
    revoke: ({ value }) => callers.set(sha256(value), new AppError("invalid_token")),
    stop: async (name) => servers.get(name)![Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await Promise.all([...servers.values()].map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

const sha256 = (value: string): string => createHash("sha256").update(value).digest("hex");

function callerWith(fields: { tokenId: string; scopes: string[]; permissions: string[] }): Caller {
  return newCaller({
    ...fields,
    workspaceId: "workspace0000000",
    personId: "person0000000000",
    live: true,
    plan: "enterprise",
    timeZone: "UTC",
    expiresAt: timestampFromDate(new Date(Date.now() + 3_600_000)),
  });
}

function authentication(callers: ReadonlyMap<string, Caller | AppError>, credential: Credential) {
  const known = callers.get(Buffer.from(credential.tokenSha256).toString("hex")) ?? new AppError("invalid_token");
  const own = !(known instanceof AppError) && ["", known.workspaceId].includes(credential.workspaceId);
  const found = known instanceof AppError || own ? known : new AppError("workspace_not_accessible");
  return create(AuthenticationSchema, {
    outcome:
      found instanceof AppError
        ? { case: "error", value: toErrorDetail(found) }
        : { case: "identity", value: { caller: found, signedCaller: signCaller(found, keys.privateKey) } },
  });
}

function startServer(
  name: ServiceName,
  fakes: FakeServices,
  batchAuthenticate: ServiceImpl<typeof TokenService>["batchAuthenticate"],
): Promise<RpcServer> {
  return startRpcServer({
    host: "127.0.0.1",
    port: 0,
    log: createLogger({ service: name, level: "silent", pretty: false }),
    metrics: createMetrics(name),
    verifyCaller: createCallerVerifier(keys.publicKey, () => new Date()),
    peerKey,
    checks: fakes.checks?.[name] ?? {},
    drainMs: 100,
    routes: (router) => {
      if (name === "token") router.service(TokenService, { batchAuthenticate, ...fakes.token });
      if (name === "token") router.service(AuditService, fakes.audit ?? {});
      if (name === "survey") router.service(SurveyService, fakes.survey ?? {});
      if (name === "response") router.service(ResponseService, fakes.response ?? {});
      if (name === "response") router.service(ExportService, fakes.exports ?? {});
      if (name === "response") router.service(FileService, fakes.files ?? {});
      if (name === "response") router.service(ResponseImportService, fakes.responseImports ?? {});
      if (name === "distribution") router.service(DistributorService, fakes.distributor ?? {});
      if (name === "distribution") router.service(ContactService, fakes.contact ?? {});
      if (name === "response") router.service(LinkResponseService, fakes.linkResponses ?? {});
      if (name === "distribution") router.service(LinkService, fakes.links ?? {});
      if (name === "delivery") router.service(DeliveryService, fakes.delivery ?? {});
      if (name !== "webhook") return;
      router.service(SubscriptionService, fakes.subscription ?? {});
      router.service(FeedService, fakes.feed ?? {});
    },
  });
}

export const surveyId = "survey0000000000";

/** A survey as the survey service returns it. */
export function someSurvey(fields: Partial<Omit<Survey, "$typeName">> = {}) {
  return create(SurveySchema, {
    surveyId,
    name: 'Big "five"',
    description: "",
    language: "en",
    type: 1,
    active: true,
    ownerAccountId: "person0000000000",
    settingsJson: '{"display":{"progressStyle":"bar"}}',
    publishedVersion: 2,
    questionCount: 28,
    responseCount: 2800n,
    createdAt: timestampFromDate(new Date("2026-01-01T00:00:00Z")),
    updatedAt: timestampFromDate(new Date("2026-01-02T00:00:00Z")),
    etag: '"0123456789abcdef"',
    ...fields,
  });
}

export const replayMessage = (requestId: string, answeredAt: Date) =>
  create(ReplaySchema, { requestId, answeredAt: timestampFromDate(answeredAt) });

import { createCallerVerifier, isTokenValue, tokenSha256 } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { AuditService, OperatorService, TokenService } from "@canvass/proto/token";
import { callOptions, fromErrorDetail, type CallContext } from "@canvass/rpc";
import { startTestService, testKeys, type TestServiceOptions } from "@canvass/service/testing";
import type { CallOptions } from "@connectrpc/connect";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readTokenConfig, startTokenService } from "../src/index.ts";

export { codeOf, refusalOf } from "@canvass/service/testing";

export interface Workspace {
  workspaceId: string;
  personId: string;
  tokenId: string;
  tokenValue: string;
}

/** Default: live, with the default scopes. */
export interface WantedToken {
  name?: string;
  live?: boolean;
  scopes?: readonly string[];
  expiresAt?: Date;
}

export const tokenEnvironment = {
  CANVASS_OPERATOR_KEY: randomBytes(32).toString("base64"),
  CANVASS_CALLER_PRIVATE_KEY: testKeys.callerPrivate,
};

export async function startTokenSystem(options: TestServiceOptions = {}) {
  const parts = { folder: join(import.meta.dirname, ".."), readConfig: readTokenConfig, start: startTokenService };
  const environment = { ...tokenEnvironment, ...options.environment };
  const service = await startTestService(parts, { ...options, environment });
  const client = service.client(TokenService);
  /** Takes HTTP bodies as objects. */
  const peer = {
    ...client,
    createToken: (body: object, options: CallOptions) =>
      client.createToken({ bodyJson: JSON.stringify(body) }, options),
    updateToken: ({ tokenId, ...body }: { tokenId: string; [field: string]: unknown }, options: CallOptions) =>
      client.updateToken({ tokenId, bodyJson: JSON.stringify(body) }, options),
  };
  const operator = service.client(OperatorService, { operatorKey: tokenEnvironment.CANVASS_OPERATOR_KEY });
  const verify = createCallerVerifier(testKeys.callerPublicKey, service.clock.now);

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

  let created = 0;
  return {
    ...service,
    peer,
    audit: service.client(AuditService, {}),
    operator,
    createWorkspace: async (
      fields: { plan?: string; ownerEmail?: string; timeZone?: string } = {},
    ): Promise<Workspace> => {
      created += 1;
      const request = { name: `Workspace ${created}`, plan: "enterprise", ownerName: "Ada", timeZone: "UTC" };
      const made = await operator.createWorkspace({ ...request, ownerEmail: `p${created}@example.com`, ...fields });
      if (!isTokenValue(made.tokenValue)) throw new Error("the service made a malformed token");
      return made;
    },
    /** The signed caller of a token value, or the refusal's code. */
    authenticate: async (tokenValue: string, workspaceId = ""): Promise<Caller | string> => {
      const identity = await identify(tokenValue, workspaceId);
      if (typeof identity !== "string") return identity.code;
      return verify(identity) ?? "badly signed";
    },
    as,
    listTokens: async (tokenValue: string) => (await peer.listTokens({}, await as(tokenValue))).tokens,
    createToken: async (giver: string, { live, expiresAt, ...rest }: WantedToken = {}) =>
      peer.createToken({ name: "a token", ...rest, is_live: live, expires_at: expiresAt }, await as(giver)),
  };
}

/** Audited actions of a new workspace, oldest first. */
export const firstActions = ["workspace.created", "person.added", "token.created"];

export type TokenSystem = Awaited<ReturnType<typeof startTokenSystem>>;

import { AppError, type ErrorCode } from "@canvass/errors";
import { requireBatchSize } from "@canvass/inputs";
import type { BatchAuthenticateRequest, BatchAuthenticateResponseSchema, Credential } from "@canvass/proto/token";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { toErrorDetail } from "@canvass/rpc";
import type { UsableCredential } from "../application/caller-signer.ts";
import type { TokenContext } from "../context.ts";
import { tokenState } from "../domain/token-state.ts";
import { findCredentials, type FoundCredential } from "../storage/credentials.ts";

const refusals = {
  invalid_token: toErrorDetail(new AppError("invalid_token")),
  token_expired: toErrorDetail(new AppError("token_expired")),
  workspace_not_accessible: toErrorDetail(new AppError("workspace_not_accessible")),
} satisfies Partial<Record<ErrorCode, unknown>>;

/** Looks tokens up by SHA-256. Callers cannot choose a hash, so timing reveals nothing about stored tokens. */
export async function batchAuthenticate(
  context: TokenContext,
  { credentials }: BatchAuthenticateRequest,
): Promise<MessageInitShape<typeof BatchAuthenticateResponseSchema>> {
  requireBatchSize("credentials", credentials);
  const found = await findCredentials(context.database.hot.sql, credentials);
  const now = context.now();
  return {
    authentications: credentials.map((credential, index) => {
      const evaluated = evaluate(credential, found[index], now);
      return typeof evaluated === "string"
        ? { outcome: { case: "error", value: refusals[evaluated] } }
        : { outcome: { case: "identity", value: context.signIdentity(evaluated) } };
    }),
  };
}

function evaluate(
  { workspaceId }: Credential,
  found: FoundCredential | undefined,
  now: Date,
): UsableCredential | keyof typeof refusals {
  if (!found) return "invalid_token";
  if (tokenState({ revokedAt: null, expiresAt: found.expiresAt }, now) === "expired") return "token_expired";
  const { membership, ...token } = found;
  if (membership) return { ...token, membership };
  // A person who left the workspace has no valid token for it.
  return workspaceId === "" || workspaceId === found.homeWorkspaceId ? "invalid_token" : "workspace_not_accessible";
}

import type { OperatorAccess } from "./connect-operator.ts";
import { loadGenerated } from "./load-generated.ts";
import { readTls } from "@canvass/provisioning";

export type TokenFault = "expired" | "revoked or rotated";

export type PeerAccess = Pick<OperatorAccess, "tokenUrl" | "tlsFiles"> & { peerKey: string };

const FAULTS: Readonly<Record<string, TokenFault>> = { token_expired: "expired", invalid_token: "revoked or rotated" };
const PATIENCE_MS = 2_000;

/** Does not count as use of the token. Undefined also if the service does not respond, so that a start continues. */
export async function findTokenFault(access: PeerAccess, token: string): Promise<TokenFault | undefined> {
  const { tokenUrl: url, peerKey, tlsFiles } = access;
  const { createRpcClient, TokenService, tokenSha256 } = await loadGenerated();
  const tls = url.startsWith("https:") ? readTls(tlsFiles ?? {}) : undefined;
  await using tokens = createRpcClient(TokenService, { url, peerKey, tls, defaultTimeoutMs: PATIENCE_MS });
  const answer = await tokens.batchAuthenticate({ credentials: [{ tokenSha256: tokenSha256(token) }] }).catch(() => {});
  const outcome = answer?.authentications[0]?.outcome;
  return outcome?.case === "error" ? FAULTS[outcome.value.code] : undefined;
}

import type { OperatorService } from "@canvass/proto/token";
import type { RpcClient } from "@canvass/rpc";
import { randomUUID } from "node:crypto";

import { OperationalError, readTls, reasonOf, type TlsFiles } from "@canvass/provisioning";
import { loadGenerated } from "./load-generated.ts";

export type OperatorClient = RpcClient<typeof OperatorService>;

export type OperatorAccess = {
  /** Where the token service's RPCs are served. */
  tokenUrl: string;
  operatorKey: string;
  /** For https: whom to trust, and what to show to a service that asks for a certificate. */
  tlsFiles?: Partial<TlsFiles> | undefined;
};

/**
 * A client of the operator RPCs for one command: its calls bear one request id, by which the audit log names them.
 * Throws OperationalError for an address or a TLS file that can not be used.
 */
export async function connectOperator({
  tokenUrl: url,
  operatorKey,
  tlsFiles,
}: OperatorAccess): Promise<OperatorClient> {
  const { createRpcClient, OperatorService } = await loadGenerated();
  const tls = url.startsWith("https:") ? readTls(tlsFiles ?? {}) : undefined;
  try {
    return createRpcClient(OperatorService, { url, operatorKey, tls, requestId: randomUUID() });
  } catch (error) {
    throw new OperationalError(`The token service can not be called: ${reasonOf(error)}.`, { cause: error });
  }
}

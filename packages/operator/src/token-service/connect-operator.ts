import type { OperatorService } from "@canvass/proto/token";
import type { RpcClient } from "@canvass/rpc";
import { randomUUID } from "node:crypto";

import { OperationalError, readTls, reasonOf, type TlsFiles } from "@canvass/provisioning";
import { loadGenerated } from "./load-generated.ts";

export type OperatorClient = RpcClient<typeof OperatorService>;

export type OperatorAccess = {
  tokenUrl: string;
  operatorKey: string;
  /** For https: the CA to trust, and a client certificate. */
  tlsFiles?: Partial<TlsFiles> | undefined;
};

/**
 * An operator client for one command; its calls share a request id, which the audit log records. Throws
 * OperationalError for an unusable address or TLS file.
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

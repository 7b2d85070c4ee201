import type { ResultsOperatorService } from "@canvass/proto/response-operator";
import type { OperatorService } from "@canvass/proto/token";
import type { WorkspaceTransferService } from "@canvass/proto/transfer";
import type { SecretsOperatorService } from "@canvass/proto/webhook-operator";
import type { RpcClient } from "@canvass/rpc";
import { randomUUID } from "node:crypto";

import { OperationalError, readTls, reasonOf, type TlsFiles } from "@canvass/provisioning";
import type { ServiceAccess, ServiceName } from "./find-service.ts";
import { loadGenerated } from "./load-generated.ts";

export type OperatorClient = RpcClient<typeof OperatorService>;
export type ResultsClient = RpcClient<typeof ResultsOperatorService>;
export type TransferClient = RpcClient<typeof WorkspaceTransferService>;
export type SecretsClient = RpcClient<typeof SecretsOperatorService>;

export type OperatorAccess = {
  tokenUrl: string;
  operatorKey: string;
  /** For https: the trusted CA and a client certificate. */
  tlsFiles?: Partial<TlsFiles> | undefined;
};

/**
 * A client of the token service. Its calls share a request id, which the audit log shows. Throws OperationalError for an
 * invalid address or TLS file.
 */
export async function connectOperator({ tokenUrl: url, ...access }: OperatorAccess): Promise<OperatorClient> {
  const { createRpcClient, OperatorService } = await loadGenerated();
  return explained("token", () => createRpcClient(OperatorService, optionsOf({ url, ...access })));
}

/** The same of the response service, for recounting results. */
export async function connectResults(access: ServiceAccess): Promise<ResultsClient> {
  const { createRpcClient, ResultsOperatorService } = await loadGenerated();
  return explained("response", () => createRpcClient(ResultsOperatorService, optionsOf(access)));
}

/** The same of the webhook service, for its signing secrets. */
export async function connectSecrets(access: ServiceAccess): Promise<SecretsClient> {
  const { createRpcClient, SecretsOperatorService } = await loadGenerated();
  return explained("webhook", () => createRpcClient(SecretsOperatorService, optionsOf(access)));
}

/** The same of any service, for moving a workspace. */
export async function connectTransfer(service: ServiceName, access: ServiceAccess): Promise<TransferClient> {
  const { createRpcClient, WorkspaceTransferService } = await loadGenerated();
  return explained(service, () => createRpcClient(WorkspaceTransferService, optionsOf(access)));
}

function optionsOf({ url, operatorKey, tlsFiles }: ServiceAccess) {
  const tls = url.startsWith("https:") ? readTls(tlsFiles ?? {}) : undefined;
  return { url, operatorKey, tls, requestId: randomUUID() };
}

function explained<Client>(service: ServiceName, connect: () => Client): Client {
  try {
    return connect();
  } catch (error) {
    if (error instanceof OperationalError) throw error;
    throw new OperationalError(`The ${service} service cannot be called: ${reasonOf(error)}.`, { cause: error });
  }
}

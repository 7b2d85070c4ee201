import { readFile } from "node:fs/promises";
import type { OperatorService } from "@canvass/proto/token";
import type { RpcClient } from "@canvass/rpc";

import { LaunchError, systemErrorCode } from "../launch-error.ts";
import type { Environment } from "../config.ts";

export type OperatorClient = RpcClient<typeof OperatorService>;

export type OperatorAccess = {
  /** Where the token service's RPCs are served. */
  tokenUrl: string;
  operatorKey: string;
};

/** A client of the operator RPCs. Over https it trusts and shows what `CANVASS_TLS_*_FILE` of `env` name. */
export async function connectOperator(
  { tokenUrl: url, operatorKey }: OperatorAccess,
  env: Environment = {},
): Promise<OperatorClient> {
  const { createRpcClient, OperatorService } = await loadGenerated();
  const tls = url.startsWith("https:") ? await readTls(env) : undefined;
  return createRpcClient(OperatorService, { url, operatorKey, tls });
}

/** Generated code: it may not exist yet when this module is loaded. */
async function loadGenerated() {
  try {
    const [{ createRpcClient }, { OperatorService }] = await Promise.all([
      import("@canvass/rpc"),
      import("@canvass/proto/token"),
    ]);
    return { createRpcClient, OperatorService };
  } catch (error) {
    if (systemErrorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new LaunchError(`The generated code is missing; "pnpm generate" makes it.`, { cause: error });
  }
}

async function readTls(env: Environment): Promise<{ ca?: string; key?: string; cert?: string }> {
  const files = { ca: "CANVASS_TLS_CA_FILE", key: "CANVASS_TLS_KEY_FILE", cert: "CANVASS_TLS_CERT_FILE" };
  const tls: Record<string, string> = {};
  for (const [part, variable] of Object.entries(files)) {
    const file = env[variable];
    if (file) tls[part] = await readFile(file, "utf8").catch((cause: unknown) => unreadable(variable, cause));
  }
  return tls;
}

function unreadable(variable: string, cause: unknown): never {
  throw new LaunchError(`The file that ${variable} names can not be read.`, { cause });
}

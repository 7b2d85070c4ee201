import { namedTlsFiles, OperationalError, readKeys, type Environment } from "@canvass/provisioning";
import { UnreachableError } from "../errors.ts";
import { readLocalFile, systemFiles } from "../local-file.ts";
import type { OperatorAccess } from "./connect-operator.ts";

/**
 * Finds the token service at the given address or that of the system on `CANVASS_DATA_DIR`, with the operator key
 * (`CANVASS_OPERATOR_KEY`, else the data directory's) and TLS files (from `env`, else the running system's). Throws
 * OperationalError when there is none.
 */
export async function findTokenService(given: string | undefined, env: Environment): Promise<OperatorAccess> {
  const paths = systemFiles(env["CANVASS_DATA_DIR"] || ".canvass");
  const keyOf = async () => env["CANVASS_OPERATOR_KEY"] || (await operatorKeyIn(paths.keys));
  const named = namedTlsFiles(env);
  if (given !== undefined) return { tokenUrl: given, operatorKey: await keyOf(), tlsFiles: named };
  const { processes = [], tlsFiles } = (await readLocalFile(paths.local)) ?? {};
  const tokenUrl = processes.find(({ name }) => name === "token")?.url;
  if (tokenUrl === undefined) {
    throw new UnreachableError(
      `No system runs on ${paths.root}: start one, or name its token service with --token-service.`,
    );
  }
  const operatorKey = await operatorKeyIn(paths.keys);
  return { tokenUrl, operatorKey, tlsFiles: Object.keys(named).length > 0 ? named : tlsFiles };
}

async function operatorKeyIn(path: string): Promise<string> {
  const { operatorKey } = await readKeys(path);
  if (operatorKey !== undefined) return operatorKey;
  throw new OperationalError(`There is no operator key in ${path}; set CANVASS_OPERATOR_KEY.`);
}

import { UnreachableError } from "@canvass/command-line";
import { namedTlsFiles, OperationalError, readKeys, type Environment } from "@canvass/provisioning";
import { readLocalFile, systemFiles } from "../local-file.ts";
import type { OperatorAccess } from "./connect-operator.ts";

export const SERVICE_FLAGS = {
  token: "--token-service",
  survey: "--survey-service",
  response: "--response-service",
  distribution: "--distribution-service",
  webhook: "--webhook-service",
  delivery: "--delivery-service",
} as const;
export type ServiceName = keyof typeof SERVICE_FLAGS;

export type ServiceAccess = Pick<OperatorAccess, "operatorKey" | "tlsFiles"> & { url: string };

/** Finds the service at the given address, else that of the running system. Throws OperationalError without one. */
export async function findService(
  service: ServiceName,
  given: string | undefined,
  env: Environment,
): Promise<ServiceAccess> {
  const paths = systemFiles(env["CANVASS_DATA_DIR"] || ".canvass");
  const keyOf = async () => env["CANVASS_OPERATOR_KEY"] || (await operatorKeyIn(paths.keys));
  const named = namedTlsFiles(env);
  if (given !== undefined) return { url: given, operatorKey: await keyOf(), tlsFiles: named };
  const { processes = [], tlsFiles } = (await readLocalFile(paths.local)) ?? {};
  const url = processes.find(({ name }) => name === service)?.url;
  if (url === undefined) {
    throw new UnreachableError(
      `No system runs on ${paths.root}: start one, or name its ${service} service with ${SERVICE_FLAGS[service]}.`,
    );
  }
  const operatorKey = await operatorKeyIn(paths.keys);
  return { url, operatorKey, tlsFiles: Object.keys(named).length > 0 ? named : tlsFiles };
}

async function operatorKeyIn(path: string): Promise<string> {
  const { operatorKey } = await readKeys(path);
  if (operatorKey !== undefined) return operatorKey;
  throw new OperationalError(`There is no operator key in ${path}; set CANVASS_OPERATOR_KEY.`);
}

import { OperationalError, type Environment } from "@canvass/provisioning";
import { UnreachableError } from "../errors.ts";
import { readLocalFile, systemFiles } from "../local-file.ts";
import { createHttpApi, type HttpApi, type HttpApiPlace } from "./http-api.ts";

/**
 * The API at the given address, or of the system on `CANVASS_DATA_DIR`, with the given token (or `CANVASS_TOKEN`, or the
 * running system's own). The running system's token goes nowhere else.
 */
export async function findHttpApi(given: HttpApiPlace, env: Environment): Promise<HttpApi> {
  const token = given.token ?? (env["CANVASS_TOKEN"] || undefined);
  if (given.baseUrl !== undefined) {
    if (token === undefined) throw new OperationalError("--base-url needs a token: --token or CANVASS_TOKEN.");
    return createHttpApi({ baseUrl: given.baseUrl.replace(/\/+$/, ""), token });
  }
  const paths = systemFiles(env["CANVASS_DATA_DIR"] || ".canvass");
  const local = await readLocalFile(paths.local);
  if (!local) throw new UnreachableError(`No system runs on ${paths.root}: start one, or name an API with --base-url.`);
  return createHttpApi({ baseUrl: local.baseUrl, token: token ?? local.token });
}

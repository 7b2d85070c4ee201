import { UnreachableError } from "@canvass/command-line";
import { OperationalError, type Environment } from "@canvass/provisioning";
import { readLocalFile, systemFiles } from "../local-file.ts";
import { createHttpApi, type HttpApi, type HttpApiPlace } from "./http-api.ts";

/** Finds the API at the given address, else that of the running system, whose own token is never sent elsewhere. */
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

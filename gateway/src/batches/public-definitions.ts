import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { makingPublicDefinition, readingDefinition } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { singleFlight } from "@canvass/telemetry";
import { LRUCache } from "lru-cache";
import type { ServiceClients } from "../clients/service-clients.ts";

export interface VersionRef {
  workspaceId: string;
  surveyId: string;
  versionId: string;
}

/** Cache size in characters of JSON: a thousand usual versions, or a few of the largest (4 MiB). */
const cachedCharacters = 32 * 1024 * 1024;

/** Returns JSON text, cached because versions never change. Concurrent readers share one call. */
export function publicDefinitionReader({ surveys }: ServiceClients, timeoutMs: number) {
  const cache = new LRUCache<string, string>({ maxSize: cachedCharacters, sizeCalculation: ({ length }) => length });
  const makeOnce = singleFlight(make, { keyOf });

  async function make(ref: VersionRef): Promise<string> {
    const { versions } = await surveys.batchGetVersions({ versions: [ref] }, callOptions({ timeoutMs }));
    const { versionId = "", definitionJson = "" } = versions[0] ?? {};
    if (versionId === "") throw new AppError("distributor_not_found");
    const definition = await runInSlices(readingDefinition(definitionJson));
    const json = JSON.stringify(await runInSlices(makingPublicDefinition(definition)));
    cache.set(keyOf(ref), json);
    return json;
  }

  return async (ref: VersionRef): Promise<string> => cache.get(keyOf(ref)) ?? makeOnce(ref);
}

const keyOf = ({ workspaceId, versionId }: VersionRef) => `${workspaceId} ${versionId}`;

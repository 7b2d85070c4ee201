import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import { makingPublicDefinition, prefillNames, readingDefinition, translatingDefinition } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { singleFlight } from "@canvass/telemetry";
import { lookUpLanguage } from "@canvass/values";
import { LRUCache } from "lru-cache";
import type { ServiceClients } from "../clients/service-clients.ts";

export interface VersionRef {
  workspaceId: string;
  surveyId: string;
  versionId: string;
}

/** A version in a language, or in the closest one that it is translated into. Empty: the survey's language. */
export interface LanguageRef extends VersionRef {
  language?: string;
}

interface Cached {
  json: string;
  /** What `prefillNames` returns, as JSON. */
  prefill: string;
  /** Languages into which the version is translated. */
  languages: readonly string[];
}

/** Cache size in characters of JSON: a thousand usual versions, or a few of the largest (4 MiB). */
const cachedCharacters = 32 * 1024 * 1024;

/** Returns readers of JSON text, cached because versions never change. Concurrent readers share one call. */
export function publicDefinitionReaders({ surveys }: ServiceClients, timeoutMs: number) {
  const cache = new LRUCache<string, Cached>({
    maxSize: cachedCharacters,
    sizeCalculation: ({ json, prefill }) => json.length + prefill.length,
  });
  const makeOnce = singleFlight(make, { keyOf });

  async function make(ref: LanguageRef): Promise<Cached> {
    const { versions } = await surveys.batchGetVersions({ versions: [ref] }, callOptions({ timeoutMs }));
    const { versionId = "", definitionJson = "", languages = [] } = versions[0] ?? {};
    if (versionId === "") throw new AppError("distributor_not_found");
    const definition = await runInSlices(readingDefinition(definitionJson));
    const translated = ref.language ? await runInSlices(translatingDefinition(definition, ref.language)) : definition;
    const json = JSON.stringify(await runInSlices(makingPublicDefinition(translated)));
    const made = { json, prefill: JSON.stringify(prefillNames(definition)), languages };
    cache.set(keyOf(ref), made);
    return made;
  }

  const find = async (ref: LanguageRef): Promise<Cached> => cache.get(keyOf(ref)) ?? makeOnce(ref);

  /** Reads a translation only if there is one, so that a caller cannot fill the cache by naming languages. */
  const publicDefinition = async ({ language: wanted = "", ...ref }: LanguageRef): Promise<string> => {
    const { json, languages } = await find(ref);
    const language = wanted === "" ? undefined : lookUpLanguage(wanted, languages);
    return language === undefined ? json : (await find({ ...ref, language })).json;
  };
  return { publicDefinition, prefillNames: async (ref: VersionRef): Promise<string> => (await find(ref)).prefill };
}

const keyOf = ({ workspaceId, versionId, language = "" }: LanguageRef) => `${workspaceId} ${versionId} ${language}`;

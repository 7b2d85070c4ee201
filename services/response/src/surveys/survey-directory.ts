import { SurveyService, type Collection as CollectionMessage } from "@canvass/proto/survey";
import { settingsWithDefaults, type SurveySettingsPatch } from "@canvass/questions";
import { fromErrorDetail, type RpcClient } from "@canvass/rpc";
import { singleFlight } from "@canvass/telemetry";
import { LRUCache } from "lru-cache";
import type { Collection } from "../domain/collecting.ts";
import type { PublishedVersion } from "../domain/published-version.ts";
import type { SurveyRef, VersionRef } from "../domain/survey-ref.ts";
import { createLeasedAnswers } from "../leases/leased-answers.ts";
import { createVersionFetcher, type SizedVersion } from "./version-fetcher.ts";
import { createSharedCache } from "./shared-cache.ts";

/** A client of the survey service. */
export interface SurveyDirectory {
  /**
   * Whether and how a survey collects. Settings act at once: an answer is reused only within its lease, and a change is
   * answered only when all leases have ended. While the survey service takes longer than 1.5 seconds or is away, its
   * last answer is used.
   */
  collection(ref: SurveyRef): Promise<Collection>;
  /** A published version; throws `survey_not_found` when there is none. */
  version(ref: VersionRef): Promise<PublishedVersion>;
  /** The version if it is cached. */
  keptVersion(ref: VersionRef): PublishedVersion | undefined;
  /** Whether this is the survey's own password. */
  isPassword(ref: SurveyRef, password: string): Promise<boolean>;
}

const timeoutMs = 3_000;
const mebi = 1024 * 1024;
/**
 * Characters of JSON, which take twice as many bytes parsed: thousands of usual versions or sixteen of the largest; for
 * each workspace four of the largest.
 */
const keptDefinitions = { maxSize: 64 * mebi, share: 16 * mebi };

export function createSurveyDirectory(client: RpcClient<typeof SurveyService>): SurveyDirectory {
  const collection = createLeasedAnswers({
    ask: async (surveys: SurveyRef[]) => {
      const { collections, leaseMs } = await client.batchGetCollections({ surveys }, { timeoutMs });
      const values = collections.map((each) => (each.error ? fromErrorDetail(each.error) : toCollection(each)));
      return { values, leaseMs };
    },
    keyOf,
    isFound: ({ found }) => found,
  });
  const fetchVersion = createVersionFetcher(client);
  // Versions never change: they stay while there is room.
  const versions = createSharedCache<SizedVersion>(keptDefinitions);
  const settings = new LRUCache<string, Collection["settings"]>({ max: 10_000 });

  function toCollection(message: CollectionMessage): Collection {
    const { found, active, versionId, versionNumber, settingsJson, hasPassword } = message;
    // Every batch brings the same settings; parsed ones are cached by their text.
    let parsed = settings.get(settingsJson);
    if (!parsed) {
      parsed = settingsWithDefaults(settingsJson === "" ? {} : (JSON.parse(settingsJson) as SurveySettingsPatch));
      settings.set(settingsJson, parsed);
    }
    return { found, active, versionId, versionNumber, settings: parsed, hasPassword };
  }

  const fetchOnce = singleFlight(fetchAndKeep, { keyOf: versionKey });

  async function fetchAndKeep(ref: VersionRef): Promise<SizedVersion> {
    const version = await fetchVersion(ref);
    versions.set(ref.workspaceId, ref.versionId, version);
    return version;
  }

  return {
    collection,
    version: async (ref) => versions.get(ref.workspaceId, ref.versionId) ?? fetchOnce(ref),
    keptVersion: (ref) => versions.get(ref.workspaceId, ref.versionId),
    isPassword: async (ref, password) =>
      (await client.checkSurveyPassword({ ...ref, password }, { timeoutMs })).matches,
  };
}

function keyOf({ workspaceId, surveyId }: SurveyRef): string {
  return `${workspaceId} ${surveyId}`;
}

function versionKey({ workspaceId, versionId }: VersionRef): string {
  return `${workspaceId} ${versionId}`;
}

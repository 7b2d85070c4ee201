import { SurveyService, type Collection as CollectionMessage } from "@canvass/proto/survey";
import { settingsWithDefaults, type SurveySettingsPatch } from "@canvass/questions";
import { createBatcher, type RpcClient } from "@canvass/rpc";
import { LRUCache } from "lru-cache";
import type { Collection } from "../domain/collecting.ts";
import type { PublishedVersion } from "../domain/published-version.ts";
import type { SurveyRef, VersionRef } from "../domain/survey-ref.ts";
import { createVersionFetcher, type SizedVersion } from "./version-fetcher.ts";
import { createLastKnown } from "./last-known.ts";
import { createSharedCache } from "./shared-cache.ts";

/** What this service asks the survey service. */
export interface SurveyDirectory {
  /**
   * Whether a survey collects. Settings act at once: an answer is used again only within its lease, and whoever changes
   * the survey is told so only when all leases have ended. While the survey service takes longer than a second and
   * a half, or is away, what it answered last stands in.
   */
  collection(ref: SurveyRef): Promise<Collection>;
  /** A published version; throws `survey_not_found` when there is none. */
  version(ref: VersionRef): Promise<PublishedVersion>;
  /** The same where nobody has to be asked; undefined: somebody has. */
  keptVersion(ref: VersionRef): PublishedVersion | undefined;
}

const timeoutMs = 3_000;
/** For ten minutes the last known state stands in, so that answers are not lost to a restart of the survey service. */
const standIn = { maxEntries: 50_000, staleForMs: 10 * 60 * 1000, patienceMs: 1_500, awayPatienceMs: 50 };
const mebi = 1024 * 1024;
/**
 * Characters of JSON, which take twice as many bytes when parsed: thousands of usual versions, or sixteen of the largest;
 * and of each workspace's, four of the largest.
 */
const keptDefinitions = { maxSize: 64 * mebi, share: 16 * mebi };

export function createSurveyDirectory(client: RpcClient<typeof SurveyService>): SurveyDirectory {
  const askCollection = createBatcher({
    maxSize: 500,
    maxInFlight: 2,
    send: async (refs: SurveyRef[]) => {
      // Submissions of one moment are mostly about the same few surveys: each is asked about once.
      const surveys = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
      const askedAt = performance.now();
      const { collections, leaseMs } = await client.batchGetCollections({ surveys }, { timeoutMs });
      const bySurvey = new Map(
        surveys.map((ref, index) => {
          const collection = toCollection(collections[index]!);
          // A survey that is not there yet may be created at any moment, and nobody waits for that.
          return [keyOf(ref), { value: collection, until: collection.found ? askedAt + leaseMs : 0 }];
        }),
      );
      return refs.map((ref) => bySurvey.get(keyOf(ref))!);
    },
  });
  const fetchVersion = createVersionFetcher(client);
  // Versions never change, so they are kept for as long as there is room.
  const versions = createSharedCache<SizedVersion>(keptDefinitions);
  const fetching = new Map<string, Promise<SizedVersion>>();
  const settings = new LRUCache<string, Collection["settings"]>({ max: 10_000 });

  function toCollection(message: CollectionMessage): Collection {
    const { found, active, versionId, versionNumber, settingsJson } = message;
    // The same settings come with every batch; parsed ones are kept by their text.
    let parsed = settings.get(settingsJson);
    if (!parsed) {
      parsed = settingsWithDefaults(settingsJson === "" ? {} : (JSON.parse(settingsJson) as SurveySettingsPatch));
      settings.set(settingsJson, parsed);
    }
    return { found, active, versionId, versionNumber, settings: parsed };
  }

  async function fetchAndKeep(ref: VersionRef): Promise<SizedVersion> {
    try {
      const version = await fetchVersion(ref);
      versions.set(ref.workspaceId, ref.versionId, version);
      return version;
    } finally {
      fetching.delete(versionKey(ref));
    }
  }

  /** Many who want one at once share one question. */
  function fetchOnce(ref: VersionRef): Promise<SizedVersion> {
    const underWay = fetching.get(versionKey(ref)) ?? fetchAndKeep(ref);
    fetching.set(versionKey(ref), underWay);
    return underWay;
  }

  return {
    collection: createLastKnown(askCollection, keyOf, standIn),
    version: async (ref) => versions.get(ref.workspaceId, ref.versionId) ?? fetchOnce(ref),
    keptVersion: (ref) => versions.get(ref.workspaceId, ref.versionId),
  };
}

function keyOf({ workspaceId, surveyId }: SurveyRef): string {
  return `${workspaceId} ${surveyId}`;
}

function versionKey({ workspaceId, versionId }: VersionRef): string {
  return `${workspaceId} ${versionId}`;
}

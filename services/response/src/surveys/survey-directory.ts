import { mostBatchItems } from "@canvass/inputs";
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
}

const timeoutMs = 3_000;
/** The part of a lease after which its next use asks for another. */
const renewAfter = 0.6;
/** The last known state serves for ten minutes, so that a restart of the survey service loses no answers. */
const standIn = { maxEntries: 50_000, staleForMs: 10 * 60 * 1000, patienceMs: 1_500, awayPatienceMs: 50 };
const mebi = 1024 * 1024;
/**
 * Characters of JSON, which take twice as many bytes parsed: thousands of usual versions or sixteen of the largest; for
 * each workspace four of the largest.
 */
const keptDefinitions = { maxSize: 64 * mebi, share: 16 * mebi };

export function createSurveyDirectory(client: RpcClient<typeof SurveyService>): SurveyDirectory {
  const askCollection = createBatcher({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    send: async (refs: SurveyRef[]) => {
      // Submissions of one moment concern few surveys: each is asked about once.
      const surveys = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
      const askedAt = performance.now();
      const { collections, leaseMs } = await client.batchGetCollections({ surveys }, { timeoutMs });
      const bySurvey = new Map(
        surveys.map((ref, index) => {
          const collection = toCollection(collections[index]!);
          // An absent survey may be created at any moment, and creating waits for no lease.
          const until = collection.found ? askedAt + leaseMs : 0;
          return [keyOf(ref), { value: collection, until, renewFrom: askedAt + leaseMs * renewAfter }];
        }),
      );
      return refs.map((ref) => bySurvey.get(keyOf(ref))!);
    },
  });
  const fetchVersion = createVersionFetcher(client);
  // Versions never change: they stay while there is room.
  const versions = createSharedCache<SizedVersion>(keptDefinitions);
  const fetching = new Map<string, Promise<SizedVersion>>();
  const settings = new LRUCache<string, Collection["settings"]>({ max: 10_000 });

  function toCollection(message: CollectionMessage): Collection {
    const { found, active, versionId, versionNumber, settingsJson } = message;
    // Every batch brings the same settings; parsed ones are cached by their text.
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

  /** Concurrent callers share one fetch. */
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

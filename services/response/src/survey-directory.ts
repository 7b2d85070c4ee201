import { AppError } from "@canvass/errors";
import { SurveyService, type Collection as CollectionMessage } from "@canvass/proto/survey";
import { settingsWithDefaults, type SurveyDefinition, type SurveySettingsPatch } from "@canvass/questions";
import { createBatcher, type RpcClient } from "@canvass/rpc";
import { LRUCache } from "lru-cache";
import type { Collection } from "./domain/collecting.ts";
import type { PublishedVersion } from "./domain/published-version.ts";

export interface SurveyRef {
  workspaceId: string;
  surveyId: string;
}

export interface VersionRef extends SurveyRef {
  versionId: string;
}

/** What this service asks the survey service. */
export interface SurveyDirectory {
  /**
   * Whether a survey collects. Settings act at once: an answer is used again only within its lease, and whoever changes
   * the survey is told so only when all leases have ended.
   */
  collection(ref: SurveyRef): Promise<Collection>;
  /** A published version; throws `survey_not_found` when there is none. */
  version(ref: VersionRef): Promise<PublishedVersion>;
}

const batchLimits = { maxSize: 500, maxInFlight: 2 };
const timeoutMs = 3_000;
/** How long the last known state may stand in while the survey service is down: answers are not lost to a restart. */
const staleForMs = 10 * 60 * 1000;

export function createSurveyDirectory(client: RpcClient<typeof SurveyService>): SurveyDirectory {
  const askCollection = createBatcher({
    ...batchLimits,
    send: async (refs: SurveyRef[]) => {
      // Submissions of one moment are mostly about the same few surveys: each is asked about once.
      const surveys = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
      const askedAt = performance.now();
      const { collections, leaseMs } = await client.batchGetCollections({ surveys }, { timeoutMs });
      const bySurvey = new Map(
        surveys.map((ref, index) => {
          const collection = toCollection(collections[index]!);
          // A survey that is not there yet may be created at any moment, and nobody waits for that.
          return [keyOf(ref), { collection, until: collection.found ? askedAt + leaseMs : 0 }];
        }),
      );
      return refs.map((ref) => bySurvey.get(keyOf(ref))!);
    },
  });
  const askVersion = createBatcher({
    ...batchLimits,
    send: async (versions: VersionRef[]) => (await client.batchGetVersions({ versions }, { timeoutMs })).versions,
  });
  const lastKnown = new LRUCache<string, { collection: Collection; until: number }>({ max: 50_000, ttl: staleForMs });
  // Versions never change, so they are kept for as long as there is room: a few hundred bytes for each question.
  const versions = new LRUCache<string, PublishedVersion>({ max: 2_000 });
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

  return {
    async collection(ref) {
      const key = keyOf(ref);
      const known = lastKnown.get(key);
      if (known && performance.now() < known.until) return known.collection;
      try {
        const answer = await askCollection(ref);
        lastKnown.set(key, answer);
        return answer.collection;
      } catch (error) {
        if (known && isAbsence(error)) return known.collection;
        throw error;
      }
    },
    async version(ref) {
      const known = versions.get(ref.versionId);
      if (known) return known;
      const { versionId, versionNumber, definitionJson } = await askVersion(ref);
      if (versionId === "") throw new AppError("survey_not_found");
      const definition = JSON.parse(definitionJson) as SurveyDefinition;
      const version = { versionId, versionNumber, definition };
      versions.set(versionId, version);
      return version;
    },
  };
}

function isAbsence(error: unknown): boolean {
  return error instanceof AppError && (error.code === "service_unavailable" || error.code === "deadline_exceeded");
}

function keyOf({ workspaceId, surveyId }: SurveyRef): string {
  return `${workspaceId} ${surveyId}`;
}

import { lruOptions, createSharedCache } from "@canvass/fairness";
import type { Database, Sql } from "@canvass/postgres";
import { SurveyService } from "@canvass/proto/survey-service";
import { settingsWithDefaults, type SurveySettingsPatch } from "@canvass/questions";
import { fromErrorDetail, type RpcClient } from "@canvass/rpc";
import { singleFlight } from "@canvass/telemetry";
import { isId, lookUpLanguage } from "@canvass/values";
import { LRUCache } from "lru-cache";
import { isDeepStrictEqual } from "node:util";
import { createCachedStates, unpushedRevision } from "../collecting/cached-states.ts";
import { storeStates } from "../collecting/store-states.ts";
import { surveyFromMessage } from "../collecting/states-from-messages.ts";
import type { CollectingState } from "../../domain/collecting.ts";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { LanguageRef, SurveyRef, VersionRef } from "../../domain/survey-ref.ts";
import { surveyLock } from "../../storage/advisory-locks.ts";
import {
  findCollectingSurveys,
  collectingSurveyStatement,
  endedHoldStatement,
  type CollectingSurvey,
} from "../../storage/collecting/collecting-surveys.ts";
import { createVersionFetcher, type SizedVersion } from "./version-fetcher.ts";

export interface SurveyDirectory {
  /** Not found, too, for a malformed id, which the database would not take. */
  collectingState(ref: SurveyRef): Promise<CollectingState>;
  isKnown(ref: SurveyRef): boolean;
  ofRevisions(sql: Sql, refs: readonly (SurveyRef & { revision: string })[]): Promise<(SurveyRef & CollectingState)[]>;
  isAheadOfOwner(pushed: CollectingSurvey): Promise<boolean>;
  /** In the survey's language, or in the nearest to `language` that the version is translated into. */
  version(ref: VersionRef, language?: string): Promise<PublishedVersion>;
  cachedVersion(ref: LanguageRef): PublishedVersion | undefined;
  verifyPassword(ref: SurveyRef, password: string): Promise<boolean>;
}

const timeoutMs = 3_000;
const mebi = 1024 * 1024;
/** In characters of JSON (twice as many bytes parsed): sixteen of the largest versions, four per workspace. */
const cachedDefinitions = { maxSize: 64 * mebi, share: 16 * mebi, sizeOf: ({ size }: SizedVersion) => size };

const noSettings = settingsWithDefaults({});
const absent: CollectingState = {
  revision: unpushedRevision,
  found: false,
  active: false,
  versionId: "",
  versionNumber: 0,
  settings: noSettings,
  hasPassword: false,
  isHeld: false,
};

export function createSurveyDirectory(
  client: RpcClient<typeof SurveyService>,
  { pool, hot }: Pick<Database<unknown>, "pool" | "hot">,
): SurveyDirectory {
  const states = createCachedStates<SurveyRef, CollectingSurvey>({
    keyOf,
    sql: hot.sql,
    find: findCollectingSurveys,
    fetchStates: async (refs) => {
      const surveys = refs.map(({ workspaceId, surveyId }) => ({ workspaceId, surveyId }));
      const { collections } = await client.batchGetCollections({ surveys }, { timeoutMs });
      return collections.map((each, index) => {
        if (each.error) return fromErrorDetail(each.error);
        return each.found ? surveyFromMessage(refs[index]!, each) : undefined;
      });
    },
    haveSameEffect: (one, other) => isDeepStrictEqual(decidingParts(one), decidingParts(other)),
    store: (survey) => {
      const statements = [collectingSurveyStatement(survey), endedHoldStatement(survey)];
      return storeStates(pool, [{ locks: [surveyLock(survey)], statements }]);
    },
  });
  const fetchVersion = createVersionFetcher(client);
  // Versions never change, so entries never expire.
  const versions = createSharedCache<SizedVersion>(cachedDefinitions);
  const settings = new LRUCache<string, CollectingState["settings"]>(lruOptions(10_000));

  /** Leaves out settings that affect only the display: another version of the owner may send them differently. */
  function decidingParts(survey: CollectingSurvey) {
    const { active, versionId, hasPassword, settings: all } = toCollectingState(survey);
    const { access, collection, schedule, privacy } = all;
    return { active, versionId, hasPassword, access, collection, schedule, privacy };
  }

  function toCollectingState({ settingsJson, ...survey }: CollectingSurvey): SurveyRef & CollectingState {
    // Cached by their text, because many surveys have the same settings.
    let parsed = settings.get(settingsJson);
    if (!parsed) {
      parsed = settingsWithDefaults(JSON.parse(settingsJson) as SurveySettingsPatch);
      settings.set(settingsJson, parsed);
    }
    return { ...survey, found: true, settings: parsed };
  }

  const fetchOnce = singleFlight(fetchAndKeep, { keyOf: versionKey });

  async function fetchAndKeep(ref: LanguageRef): Promise<SizedVersion> {
    const version = await fetchVersion(ref);
    versions.set(ref.workspaceId, keyInWorkspace(ref), version);
    return version;
  }

  const find = async (ref: LanguageRef): Promise<SizedVersion> =>
    versions.get(ref.workspaceId, keyInWorkspace(ref)) ?? fetchOnce(ref);

  /** Fetches a translation only if there is one, so that a caller cannot fill the cache by naming languages. */
  async function version({ workspaceId, surveyId, versionId }: VersionRef, language = ""): Promise<PublishedVersion> {
    const ref = { workspaceId, surveyId, versionId };
    const own = await find(ref);
    const nearest = language === "" ? undefined : lookUpLanguage(language, own.languages);
    return nearest === undefined ? own : find({ ...ref, language: nearest });
  }

  return {
    async collectingState({ workspaceId, surveyId }) {
      const survey = isId(surveyId) ? await states.find({ workspaceId, surveyId }) : undefined;
      return survey ? toCollectingState(survey) : absent;
    },
    isKnown: (ref) => states.isStored(ref),
    ofRevisions: async (sql, refs) => (await states.ofRevisions(sql, refs)).map(toCollectingState),
    isAheadOfOwner: (pushed) => states.isAheadOfOwner(pushed),
    version,
    cachedVersion: (ref) => versions.get(ref.workspaceId, keyInWorkspace(ref)),
    verifyPassword: async (ref, password) =>
      (await client.checkSurveyPassword({ ...ref, password }, { timeoutMs })).matches,
  };
}

function keyOf({ workspaceId, surveyId }: SurveyRef): string {
  return `${workspaceId} ${surveyId}`;
}

const keyInWorkspace = ({ versionId, language = "" }: LanguageRef): string => `${versionId} ${language}`.trimEnd();

function versionKey(ref: LanguageRef): string {
  return `${ref.workspaceId} ${keyInWorkspace(ref)}`;
}

import type { SurveyDirectory } from "../surveys/survey-directory.ts";
import { AppError } from "@canvass/errors";
import { lookUpLanguage } from "@canvass/values";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { InLanguage } from "../../domain/submissions/wording.ts";
import type { VersionRef } from "../../domain/survey-ref.ts";

type VersionResult = PublishedVersion | AppError | undefined;

/**
 * Returns a respondent's version, or the error of fetching it. Undefined if it must be fetched first. `translation`: a
 * language that the version is translated into; empty for the survey's own.
 */
export type VersionOf = (ref: VersionRef, translation?: string) => VersionResult;

/** A version to fetch, and with `translation` its translation, too. */
export type WantedVersion = VersionRef & { translation?: string };

/** Looks up fetched and cached versions. A batch sees one result per version, even if the cache changes meanwhile. */
export function batchVersions(
  surveys: SurveyDirectory,
  fetched: ReadonlyMap<string, VersionResult> = new Map(),
): VersionOf {
  const results = new Map(fetched);
  return ({ workspaceId, surveyId, versionId }, language = "") => {
    const ref = { workspaceId, surveyId, versionId, language };
    const key = versionKey({ ...ref, translation: language });
    if (!results.has(key)) results.set(key, surveys.cachedVersion(ref));
    return results.get(key);
  };
}

export function versionKey({ workspaceId, versionId, translation = "" }: WantedVersion): string {
  return `${workspaceId} ${versionId} ${translation}`;
}

/** Thrown before anything has changed: a refusal needs a translation that must be fetched first. */
export class TranslationAwaited extends Error {
  readonly language: string;

  constructor(language: string) {
    super(`the translation into ${language} is not cached`);
    this.language = language;
  }
}

/**
 * Finds the cached translation of a version nearest to a language. Without it, throws `TranslationAwaited` if
 * `mayAwait`. Otherwise the survey's own language stands in: to answer matters more than the wording.
 */
export function cachedTranslations(
  ref: VersionRef,
  { definition, languages = [] }: PublishedVersion,
  versionOf: VersionOf,
  mayAwait: boolean,
): InLanguage {
  return (given) => {
    const language = given === "" ? undefined : lookUpLanguage(given, languages);
    if (language === undefined) return definition;
    const found = versionOf(ref, language);
    if (found === undefined && mayAwait) throw new TranslationAwaited(language);
    return found === undefined || found instanceof AppError ? definition : found.definition;
  };
}

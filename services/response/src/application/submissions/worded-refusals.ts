import { AppError } from "@canvass/errors";
import { lookUpLanguage } from "@canvass/values";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { InLanguage } from "../../domain/submissions/wording.ts";
import type { VersionRef } from "../../domain/survey-ref.ts";
import type { VersionOf } from "./batch-versions.ts";

/** Thrown before anything has changed: a refusal needs a translation that must be fetched first. */
export class TranslationAwaited extends Error {
  readonly language: string;

  constructor(language: string) {
    super(`the translation into ${language} is not cached`);
    this.language = language;
  }
}

/**
 * Finds the cached translation of a version nearest to a language. If `mayAwait`, throws `TranslationAwaited` without it.
 * The survey's own language stands for one that cannot be fetched: to answer matters more than its wording.
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

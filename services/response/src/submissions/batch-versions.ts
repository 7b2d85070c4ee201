import { AppError } from "@canvass/errors";
import type { PublishedVersion } from "../domain/published-version.ts";
import { orAppError } from "./or-app-error.ts";
import type { VersionRef } from "../domain/survey-ref.ts";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";

type Told = PublishedVersion | AppError | undefined;

/** A respondent's version while a batch is stored, without asking anybody; undefined: it must be fetched before. */
export type VersionOf = (ref: VersionRef) => Told;

/** Versions that are kept or were fetched for the batch. What it was told of one stays, whatever is kept a moment later. */
export function batchVersions(surveys: SurveyDirectory, fetched: ReadonlyMap<string, Told> = new Map()): VersionOf {
  const told = new Map(fetched);
  return (ref) => {
    const key = keyOf(ref);
    if (!told.has(key)) told.set(key, surveys.keptVersion(ref));
    return told.get(key);
  };
}

/** Fetches the versions a batch is to be judged by; one that fails is its submissions' error. */
export async function fetchVersions(surveys: SurveyDirectory, refs: readonly VersionRef[]): Promise<VersionOf> {
  const fetched = await Promise.all(
    refs.map(async (ref) => [keyOf(ref), await orAppError(surveys.version(ref))] as const),
  );
  return batchVersions(surveys, new Map(fetched));
}

function keyOf({ workspaceId, versionId }: VersionRef): string {
  return `${workspaceId} ${versionId}`;
}

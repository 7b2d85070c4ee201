import { AppError } from "@canvass/errors";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { ResponseContext } from "../../context.ts";
import type { VersionRef } from "../../domain/survey-ref.ts";
import { orOwnError } from "./or-app-error.ts";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";

type VersionResult = PublishedVersion | AppError | undefined;

/** Returns a respondent's version, or the error of fetching it. Undefined if it must be fetched first. */
export type VersionOf = (ref: VersionRef) => VersionResult;

/** Looks up fetched and cached versions. A batch sees one result per version, even if the cache changes meanwhile. */
export function batchVersions(
  surveys: SurveyDirectory,
  fetched: ReadonlyMap<string, VersionResult> = new Map(),
): VersionOf {
  const results = new Map(fetched);
  return (ref) => {
    const key = versionKey(ref);
    if (!results.has(key)) results.set(key, surveys.cachedVersion(ref));
    return results.get(key);
  };
}

export async function fetchVersions(context: ResponseContext, refs: readonly VersionRef[]): Promise<VersionOf> {
  const fetched = await Promise.all(
    refs.map(async (ref) => [versionKey(ref), await orOwnError(context, context.surveys.version(ref))] as const),
  );
  return batchVersions(context.surveys, new Map(fetched));
}

export function versionKey({ workspaceId, versionId }: VersionRef): string {
  return `${workspaceId} ${versionId}`;
}

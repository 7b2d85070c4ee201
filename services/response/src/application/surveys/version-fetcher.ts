import { AppError } from "@canvass/errors";
import { createBatcher, runInSlices } from "@canvass/fairness";
import { SurveyService } from "@canvass/proto/survey-service";
import type { BatchGetVersionsResponse } from "@canvass/proto/survey-versions";
import { describingDefinition, readingDefinition, translatingDefinition, withCarriedChoices } from "@canvass/questions";
import type { RpcClient } from "@canvass/rpc";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { LanguageRef, VersionRef } from "../../domain/survey-ref.ts";

/** `languages`: the languages that the version is translated into. */
export type SizedVersion = PublishedVersion & { size: number; languages: readonly string[] };

type Wanted = VersionRef & { language: string };
type Answer = BatchGetVersionsResponse["versions"][number];

const timeoutMs = 3_000;
/** Versions per call. A definition has up to 4 MiB; the survey service leaves out what exceeds 8 MiB. */
const maxSize = 8;
/** Concurrent calls, at most one per workspace, so that large versions of one workspace do not block others. */
const maxInFlight = 4;

export function createVersionFetcher(client: RpcClient<typeof SurveyService>) {
  const ask = createBatcher<Wanted, Answer>({
    maxSize,
    maxInFlight,
    ownerOf: ({ workspaceId }) => workspaceId,
    oneOwnerPerBatch: true,
    send: async (versions) => (await client.batchGetVersions({ versions }, { timeoutMs })).versions,
  });

  return async ({ language = "", ...ref }: LanguageRef): Promise<SizedVersion> => {
    let answer = await ask({ ...ref, language });
    while (answer.leftOut) answer = await ask({ ...ref, language });
    const { versionId, versionNumber, definitionJson, languages } = answer;
    if (versionId === "") throw new AppError("survey_not_found");
    const read = await runInSlices(readingDefinition(definitionJson));
    const translated = language === "" ? read : await runInSlices(translatingDefinition(read, language));
    const definition = withCarriedChoices(await runInSlices(describingDefinition(translated)));
    return { versionId, versionNumber, definition, size: definitionJson.length, languages };
  };
}

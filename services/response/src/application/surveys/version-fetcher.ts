import { AppError } from "@canvass/errors";
import { createBatcher, runInSlices } from "@canvass/fairness";
import { SurveyService, type BatchGetVersionsResponse } from "@canvass/proto/survey";
import { readingDefinition } from "@canvass/questions";
import type { RpcClient } from "@canvass/rpc";
import type { PublishedVersion } from "../../domain/published-version.ts";
import type { VersionRef } from "../../domain/survey-ref.ts";

export type SizedVersion = PublishedVersion & { size: number };

type Answer = BatchGetVersionsResponse["versions"][number];

const timeoutMs = 3_000;
/** Versions per call. A definition has up to 4 MiB; the survey service leaves out what exceeds 8 MiB. */
const maxSize = 8;
/** Concurrent calls, at most one per workspace, so that large versions of one workspace do not block others. */
const maxInFlight = 4;

export function createVersionFetcher(client: RpcClient<typeof SurveyService>) {
  const ask = createBatcher<VersionRef, Answer>({
    maxSize,
    maxInFlight,
    ownerOf: ({ workspaceId }) => workspaceId,
    oneOwnerPerBatch: true,
    send: async (versions) => (await client.batchGetVersions({ versions }, { timeoutMs })).versions,
  });

  return async (ref: VersionRef): Promise<SizedVersion> => {
    let answer = await ask(ref);
    while (answer.leftOut) answer = await ask(ref);
    const { versionId, versionNumber, definitionJson } = answer;
    if (versionId === "") throw new AppError("survey_not_found");
    const definition = await runInSlices(readingDefinition(definitionJson));
    return { versionId, versionNumber, definition, size: definitionJson.length };
  };
}

import { AppError } from "@canvass/errors";
import { SurveyService, type BatchGetVersionsResponse } from "@canvass/proto/survey";
import type { SurveyDefinition } from "@canvass/questions";
import { batchByKey, createBatcher, type RpcClient } from "@canvass/rpc";
import { ownTurn } from "@canvass/telemetry";
import pLimit from "p-limit";
import type { PublishedVersion } from "../domain/published-version.ts";
import type { VersionRef } from "../domain/survey-ref.ts";

export type SizedVersion = PublishedVersion & { size: number };

type Answer = BatchGetVersionsResponse["versions"][number];

const timeoutMs = 3_000;
/** A definition has up to 4 MiB: as many as fit into a message with room to spare. */
const maxSize = 8;
/** Of all workspaces together, one of each: however many large versions it has, others' need not wait for them. */
const maxCalls = 4;
const maxQueued = 1_000;
/** Characters of a definition that takes a millisecond or more to parse; 4 MiB, the largest, take some 15. */
const heavyDefinition = 100_000;

/** Fetches published versions, those of one workspace together. Throws `survey_not_found` for one that is not there. */
export function createVersionFetcher(client: RpcClient<typeof SurveyService>) {
  const limit = pLimit(maxCalls);
  const send = async (versions: VersionRef[]) => (await client.batchGetVersions({ versions }, { timeoutMs })).versions;
  const createWorkspaceBatcher = () =>
    createBatcher<VersionRef, Answer>({ maxSize, maxInFlight: 1, maxQueued, send: (refs) => limit(send, refs) });
  const ask = batchByKey(({ workspaceId }: VersionRef) => workspaceId, createWorkspaceBatcher);

  return async (ref: VersionRef): Promise<SizedVersion> => {
    let answer = await ask(ref);
    while (answer.leftOut) answer = await ask(ref);
    const { versionId, versionNumber, definitionJson } = answer;
    if (versionId === "") throw new AppError("survey_not_found");
    if (definitionJson.length > heavyDefinition) await ownTurn();
    const definition = JSON.parse(definitionJson) as SurveyDefinition;
    return { versionId, versionNumber, definition, size: definitionJson.length };
  };
}

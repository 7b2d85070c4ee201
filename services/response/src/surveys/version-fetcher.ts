import { AppError } from "@canvass/errors";
import { SurveyService, type BatchGetVersionsResponse } from "@canvass/proto/survey";
import type { SurveyDefinition } from "@canvass/questions";
import { createBatcher, createFairQueue, type RpcClient } from "@canvass/rpc";
import { ownTurn } from "@canvass/telemetry";
import type { PublishedVersion } from "../domain/published-version.ts";
import type { VersionRef } from "../domain/survey-ref.ts";

export type SizedVersion = PublishedVersion & { size: number };

type Answer = BatchGetVersionsResponse["versions"][number];

interface Asker {
  ask: (ref: VersionRef) => Promise<Answer>;
  askedNow: number;
}

const timeoutMs = 3_000;
/** A definition has up to 4 MiB: as many as fit into a message with room to spare. */
const maxSize = 8;
/** One call of a workspace at once: however many large versions it has, others' need not wait for them. */
const turns = { perOwner: 1, together: 4, mostWaiting: 1 };
const maxQueued = 1_000;
/** Characters of a definition that takes a millisecond or more to parse; 4 MiB, the largest, take some 15. */
const heavyDefinition = 100_000;

/** Fetches published versions, those of one workspace together. Throws `survey_not_found` for one that is not there. */
export function createVersionFetcher(client: RpcClient<typeof SurveyService>) {
  const queue = createFairQueue(turns);
  const askers = new Map<string, Asker>();

  function createAsker(workspaceId: string): Asker {
    const send = async (versions: VersionRef[]) =>
      (await client.batchGetVersions({ versions }, { timeoutMs })).versions;
    const ask = createBatcher({
      maxSize,
      maxInFlight: 1,
      maxQueued,
      send: (refs: VersionRef[]) => queue.run(workspaceId, new AbortController().signal, () => send(refs)),
    });
    return { ask, askedNow: 0 };
  }

  async function answerOf(ref: VersionRef): Promise<Answer> {
    const asker = askers.get(ref.workspaceId) ?? createAsker(ref.workspaceId);
    askers.set(ref.workspaceId, asker);
    asker.askedNow += 1;
    try {
      let answer = await asker.ask(ref);
      while (answer.leftOut) answer = await asker.ask(ref);
      return answer;
    } finally {
      asker.askedNow -= 1;
      if (asker.askedNow === 0) askers.delete(ref.workspaceId);
    }
  }

  return async (ref: VersionRef): Promise<SizedVersion> => {
    const { versionId, versionNumber, definitionJson } = await answerOf(ref);
    if (versionId === "") throw new AppError("survey_not_found");
    if (definitionJson.length > heavyDefinition) await ownTurn();
    const definition = JSON.parse(definitionJson) as SurveyDefinition;
    return { versionId, versionNumber, definition, size: definitionJson.length };
  };
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createYielder } from "@canvass/fairness";
import type { StreamChangesRequest, StreamChangesResponseSchema } from "@canvass/proto/survey";
import type { Change } from "@canvass/questions";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { changesIdOf, changesOf, countAnswered, questionIdsOf, worstClass } from "./draft-changes.ts";
import { readBase, readDraftSnapshot } from "./draft-snapshot.ts";

/** Size limit of a chunk in characters, which only its last change may exceed. */
const chunkCharacters = 256 * 1024;

/** Streams the changes that publishing would make, with the number of answers that each affects now (contract 6.10). */
export async function* streamChanges(
  context: SurveyContext,
  { surveyId }: StreamChangesRequest,
  { caller: { workspaceId } }: Call,
): AsyncGenerator<MessageInitShape<typeof StreamChangesResponseSchema>> {
  const { survey, draft } = await readDraftSnapshot(context, { workspaceId, surveyId });
  const base = await readBase(context, survey);
  const answered = base ? await countAnswered(context, survey, questionIdsOf(base)) : new Map<string, never>();
  const changes = await changesOf(base, draft, answered);
  const [worst, changesId] = [worstClass(changes), changesIdOf(changes)];
  yield { summary: { baseVersion: survey.publishedVersion, class: worst, changesId } };
  yield* chunks(changes);
}

async function* chunks(changes: readonly Change[]): AsyncGenerator<{ changesJson: string[] }> {
  const yieldIfDue = createYielder();
  let changesJson: string[] = [];
  let characters = 0;
  for (const change of changes) {
    const json = JSON.stringify(change);
    changesJson.push(json);
    characters += json.length;
    await yieldIfDue();
    if (characters < chunkCharacters) continue;
    yield { changesJson };
    [changesJson, characters] = [[], 0];
  }
  if (changesJson.length > 0) yield { changesJson };
}

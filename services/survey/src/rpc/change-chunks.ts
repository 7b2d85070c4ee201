import { createYielder } from "@canvass/fairness";
import type { Change } from "@canvass/questions";

/** Size limit of a chunk in characters, which only its last change may exceed. */
const chunkCharacters = 256 * 1024;

/** Yields changes as JSON in messages of a stream. */
export async function* changeChunks(changes: readonly Change[]): AsyncGenerator<{ changesJson: string[] }> {
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

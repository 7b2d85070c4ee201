import type { DeviceStore } from "./device-store.ts";
import type { Save, SaveQueue } from "./save-queue.ts";

/** Forgets the respondent. `answers`, overridden by unsent ones, become the draft of the next respondent. */
export async function startOver(store: DeviceStore, queue: SaveQueue, answers: Record<string, unknown>): Promise<void> {
  const saves = await queue.all();
  const { language, draft } = store.read();
  store.clear();
  store.change({
    draft: { ...answers, ...Object.fromEntries(saves.flatMap(answersOf)), ...draft },
    ...(language && { language }),
  });
  for (const { key } of saves) await queue.remove(key);
}

const answersOf = ({ body }: Save) =>
  body.responses.map(({ elementId, value }): [string, unknown] => [elementId, value]);

import type { DeviceStore } from "./device-store.ts";
import type { Save, SaveQueue } from "./save-queue.ts";
import type { FileItem } from "./upload-file.ts";

/**
 * Forgets the respondent. `answers`, overridden by unsent ones, become the draft of the next respondent, who may not
 * name the files of this one.
 */
export async function startOver(store: DeviceStore, queue: SaveQueue, answers: Record<string, unknown>): Promise<void> {
  const saves = await queue.all();
  const { language, draft } = store.read();
  store.clear();
  const all = { ...answers, ...Object.fromEntries(saves.flatMap(answersOf)), ...draft };
  store.change({
    draft: Object.fromEntries(Object.entries(all).filter(([, value]) => !hasFiles(value))),
    ...(language && { language }),
  });
  for (const { key } of saves) await queue.remove(key);
}

const answersOf = ({ body }: Save) =>
  body.responses.map(({ elementId, value }): [string, unknown] => [elementId, value]);

const hasFiles = (value: unknown): boolean =>
  Array.isArray(value) && value.some((each: Partial<FileItem> | null) => typeof each?.fileId === "string");

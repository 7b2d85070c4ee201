import { parseAnswerKey, type PublicDefinition } from "@canvass/questions";
import { randomWord } from "./device-store.ts";
import type { Save, SaveQueue } from "./save-queue.ts";

/** Takes out of waiting saves what the respondent's version does not have: the server would refuse them for it. */
export async function leaveOutRemoved(queue: SaveQueue, { pages }: PublicDefinition): Promise<void> {
  const known = new Set(pages.flatMap(({ id, elements }) => [id, ...elements.map((element) => element.id)]));
  const isKnown = (key: string) => known.has(parseAnswerKey(key).elementId);
  const isWhole = ({ body }: Save) =>
    (body.pageId === null || isKnown(body.pageId)) && body.responses.every(({ elementId }) => isKnown(elementId));
  const saves = await queue.all();
  if (saves.every(isWhole)) return;
  for (const { code, key, body } of saves) {
    await queue.remove(key);
    const pageId = body.pageId !== null && isKnown(body.pageId) ? body.pageId : null;
    const responses = body.responses.filter(({ elementId }) => isKnown(elementId));
    if (pageId !== null || responses.length > 0 || body.metadata.complete)
      await queue.add({ code, key: randomWord(), body: { ...body, pageId, responses } });
  }
}

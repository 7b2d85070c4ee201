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
  for (const save of saves) {
    const { body } = save;
    const pageId = body.pageId !== null && isKnown(body.pageId) ? body.pageId : null;
    const responses = body.responses.filter(({ elementId }) => isKnown(elementId));
    await replace(queue, save, { ...body, pageId, responses });
  }
}

/** Lets the waiting saves leave the survey open: answers before the last page were refused, and can be corrected. */
export async function keepIncomplete(queue: SaveQueue): Promise<void> {
  for (const save of await queue.all()) {
    const { metadata } = save.body;
    if (metadata.complete) await replace(queue, save, { ...save.body, metadata: { ...metadata, complete: false } });
  }
}

/** Puts a save that was never sent at the end with another body, unless that says nothing. */
async function replace(queue: SaveQueue, { code, key }: Save, body: Save["body"]): Promise<void> {
  if (body.pageId !== null || body.responses.length > 0 || body.metadata.complete)
    await queue.add({ code, key: randomWord(), body });
  // Only then, so that a page that is closed in between loses nothing.
  await queue.remove(key);
}

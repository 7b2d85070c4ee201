import type { DeviceStore } from "./device-store.ts";
import type { SaveQueue } from "./save-queue.ts";

/** Forgets the respondent with what waits to be sent; `answers` become the draft of the next one. */
export async function beginAnew(store: DeviceStore, queue: SaveQueue, answers: Record<string, unknown>): Promise<void> {
  for (const { seq } of await queue.all()) await queue.remove(seq);
  const { language } = store.read();
  store.clear();
  store.change({ draft: answers, ...(language && { language }) });
  // What is kept was never sent for the next respondent: it begins on the first page.
  history.replaceState(null, "");
}

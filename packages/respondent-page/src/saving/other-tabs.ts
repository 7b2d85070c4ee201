/** What a tab tells the others of its link. */
export interface Stored {
  /** By answer key; null was taken back. */
  answers: Record<string, unknown>;
  isCompleted: boolean;
}

/** Tells the link's other tabs what was stored, and hears of it from them. */
export function otherTabs(
  code: string,
  ended: AbortSignal,
  onStored: (stored: Stored) => void,
): (stored: Stored) => void {
  try {
    const channel = new BroadcastChannel(`canvass:${code}`);
    channel.addEventListener("message", ({ data }: MessageEvent<Stored>) => onStored(data));
    ended.addEventListener("abort", () => channel.close());
    return (stored) => {
      // A closed channel takes nothing.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
      if (!ended.aborted) channel.postMessage(stored);
    };
  } catch {
    // Missing or denied: each tab is alone, and the server has the last word.
    return () => undefined;
  }
}

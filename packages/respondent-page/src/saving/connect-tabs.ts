export interface Stored {
  /** Absent in messages of tabs of an earlier release. */
  respondentId?: string | undefined;
  /** By answer key; null means removed. */
  answers: Record<string, unknown>;
  isCompleted: boolean;
}

/** Returns a function that sends what was stored to the link's other tabs. Calls `onStored` for their messages. */
export function connectTabs(
  code: string,
  ended: AbortSignal,
  onStored: (stored: Stored) => void,
): (stored: Stored) => void {
  try {
    const channel = new BroadcastChannel(`canvass:${code}`);
    channel.addEventListener("message", ({ data }: MessageEvent<Stored>) => onStored(data));
    ended.addEventListener("abort", () => channel.close());
    return (stored) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
      if (!ended.aborted) channel.postMessage(stored);
    };
  } catch {
    // Without channels, tabs do not know of each other, and the server resolves conflicts.
    return () => undefined;
  }
}

import type { Surroundings } from "@canvass/command-line";
import { CanvassError, type ResponseImport } from "@canvass/sdk";
import { progressBar } from "../exports/progress-bar.ts";
import { untilReached } from "../listen/until-reached.ts";

/** So that a pipeline does not wait longer for an API that stays away. The import itself may take any time. */
const longestOutageMs = 10 * 60_000;

/**
 * Returns an import once it has ended. Waits out an API that is away, each time for ten minutes at most. Throws what
 * `wait` throws, or the last error of a longer outage.
 */
export async function waitForImport(
  queued: ResponseImport,
  { progress, note }: Pick<Surroundings, "progress" | "note">,
  { pollMs = 1_000, longestMs = longestOutageMs } = {},
): Promise<ResponseImport> {
  const onProgress = ({ percentComplete }: { percentComplete: number }) =>
    progress(progressBar(percentComplete, "imported"));
  const say = (line: string) => {
    progress(undefined);
    note(line);
  };
  const back = () => untilReached(() => queued.reload(), { signal: AbortSignal.timeout(longestMs), say, pollMs });
  for (let found = queued; ; found = await back()) {
    try {
      return await found.wait({ onProgress });
    } catch (error) {
      if (!(error instanceof CanvassError && error.retryable)) throw error;
    }
  }
}

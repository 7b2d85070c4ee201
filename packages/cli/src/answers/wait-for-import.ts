import type { Surroundings } from "@canvass/command-line";
import type { ResponseImport } from "@canvass/sdk";
import { progressBar } from "../exports/progress-bar.ts";
import { untilReached } from "../listen/until-reached.ts";

/** Counted from the call, so that a pipeline does not wait longer for an API that stays away. */
const longestMs = 10 * 60_000;

/**
 * Returns an import once it has ended. Waits out an API that is away, until ten minutes after the call. Throws the
 * errors of `wait`.
 */
export async function waitForImport(
  queued: ResponseImport,
  { progress, note }: Pick<Surroundings, "progress" | "note">,
  { pollMs = 1_000 } = {},
): Promise<ResponseImport> {
  const onProgress = ({ percentComplete }: { percentComplete: number }) =>
    progress(progressBar(percentComplete, "imported"));
  const say = (line: string) => {
    progress(undefined);
    note(line);
  };
  return untilReached(() => queued.wait({ onProgress }), { signal: AbortSignal.timeout(longestMs), say, pollMs });
}

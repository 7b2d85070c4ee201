import type { Progress } from "./progress.ts";

/**
 * Shows a link and waits for Ctrl-C, so that somebody can answer: in a terminal, or when asked by `--stay`. Elsewhere a link
 * would be dead as soon as it is read.
 */
export async function stayOpen(url: string, progress: Progress, stays: boolean): Promise<void> {
  if (!stays) {
    progress.say(
      "\nThe system stops now. Run in a terminal, or with --stay, it goes on, with a link to answer the first survey.",
    );
    return;
  }
  progress.say(`\nAnswer the first survey yourself: ${url}`);
  progress.say("The system runs until Ctrl-C.");
  const { promise, resolve } = Promise.withResolvers<void>();
  // They keep listening: one Ctrl-C may come twice, from the terminal and from pnpm, and the system still has to stop.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  await promise;
}

import type { Progress } from "./progress.ts";

/**
 * If `stays`, shows a link and waits for Ctrl-C, so that somebody can answer: in a terminal, or with `--stay`.
 * Otherwise the link would stop working before anybody opens it.
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
  // Use `on`, not `once`: one Ctrl-C may arrive twice, from the terminal and from pnpm, and the system must still stop
  // cleanly.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  await promise;
}

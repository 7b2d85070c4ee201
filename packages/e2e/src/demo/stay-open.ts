import type { Progress } from "./progress.ts";

/** Shows a link, and in a terminal waits for Ctrl-C so that somebody can answer. Elsewhere nobody could. */
export async function stayOpen(url: string, progress: Progress, isTerminal = process.stdout.isTTY): Promise<void> {
  progress.say(`\nAnswer the first survey yourself: ${url}`);
  if (!isTerminal) return;
  progress.say("The system runs until Ctrl-C.");
  const { promise, resolve } = Promise.withResolvers<void>();
  // They keep listening: one Ctrl-C may come twice, from the terminal and from pnpm, and the system still has to stop.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  await promise;
}

import type { Progress } from "./progress.ts";

/**
 * If `stays`, shows links by what they open and waits for Ctrl-C, so that somebody can answer: in a terminal, or with
 * `--stay`. Otherwise they would stop working before anybody opens them.
 */
export async function stayOpen(links: Record<string, string>, progress: Progress, stays: boolean): Promise<void> {
  if (!stays) {
    progress.say(
      "\nThe system stops now. Run in a terminal, or with --stay, it goes on, with links to answer the surveys.",
    );
    return;
  }
  progress.say("\nAnswer yourself:");
  for (const [name, url] of Object.entries(links)) progress.say(`  ${name}: ${url}`);
  progress.say("The system runs until Ctrl-C.");
  const { promise, resolve } = Promise.withResolvers<void>();
  // Use `on`, not `once`: one Ctrl-C may arrive twice, from the terminal and from pnpm, and the system must still stop
  // cleanly.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve());
  await promise;
}

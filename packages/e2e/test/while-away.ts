import type { System } from "@canvass/dev-env";

/** Runs `work` while these processes are stopped. Starts them afterwards, even if `work` fails. */
export async function whileAway<Result>(
  system: System,
  names: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  await Promise.all(names.map((name) => system.stop(name)));
  try {
    return await work();
  } finally {
    await Promise.all(names.map((name) => system.start(name)));
  }
}

/** Runs `work` while a process is frozen: its connections stay open but it does not respond. */
export async function whileFrozen<Result>(system: System, name: string, work: () => Promise<Result>): Promise<Result> {
  await system.kill(name, "SIGSTOP");
  try {
    return await work();
  } finally {
    await system.kill(name, "SIGCONT");
  }
}

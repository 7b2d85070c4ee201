import type { System } from "@canvass/dev-env";

/** Runs `work` while these processes are stopped. They run again afterwards, also when `work` fails. */
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

/** The same with a process that is frozen: its connections stay, and nothing answers. */
export async function whileFrozen<Result>(system: System, name: string, work: () => Promise<Result>): Promise<Result> {
  await system.kill(name, "SIGSTOP");
  try {
    return await work();
  } finally {
    await system.kill(name, "SIGCONT");
  }
}

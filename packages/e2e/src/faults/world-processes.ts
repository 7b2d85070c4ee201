import type { System } from "@canvass/dev-env";
import { startSecondProcess, type SecondProcess } from "../second-process.ts";
import { SECOND_DELIVERY } from "./fault-kinds.ts";

/** The processes of a system and a second delivery process, by name. */
export interface WorldProcesses extends AsyncDisposable {
  /**
   * Resolves when the signal has ended the process, or at once for SIGSTOP and SIGCONT. An ended process is started
   * again.
   */
  kill(name: string, signal: NodeJS.Signals): Promise<void>;
  stop(name: string): Promise<void>;
  start(name: string): Promise<void>;
}

/** Starts a second delivery process beside the system's own. */
export async function startWorldProcesses(system: System, env: Record<string, string>): Promise<WorldProcesses> {
  const startSecond = () => startSecondProcess(system, "delivery", env);
  let second: SecondProcess = await startSecond();

  async function signalSecond(signal: NodeJS.Signals): Promise<void> {
    process.kill(second.pid, signal);
    if (signal !== "SIGSTOP" && signal !== "SIGCONT") await second.ended;
  }

  return {
    async kill(name, signal) {
      if (name !== SECOND_DELIVERY) return system.kill(name, signal);
      await signalSecond(signal);
      if (signal !== "SIGSTOP" && signal !== "SIGCONT") second = await startSecond();
    },
    stop: (name) => (name === SECOND_DELIVERY ? signalSecond("SIGTERM") : system.stop(name)),
    start: async (name) => {
      if (name === SECOND_DELIVERY) second = await startSecond();
      else await system.start(name);
    },
    [Symbol.asyncDispose]: () => second[Symbol.asyncDispose](),
  };
}

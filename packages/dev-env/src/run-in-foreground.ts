import { join } from "node:path";
import { styleText } from "node:util";

import { readLaunchConfig } from "./config.ts";
import type { Environment, LaunchConfig } from "./config.ts";
import { dataDirPaths, openDataDir } from "./data-dir.ts";
import { greeting } from "./greeting.ts";
import { inChild } from "./in-child.ts";
import { followLogFile } from "./servers/log-file.ts";
import { createLogFormat } from "./log-line.ts";
import { generateCode } from "./prepare.ts";
import { PROCESSES } from "@canvass/processes";
import { reasonOf } from "@canvass/provisioning";
import { step } from "./progress.ts";
import { startSystem } from "./start-system.ts";
import type { StartSystemOptions, System } from "./start-system.ts";
import { waitForAbort, listenForStop } from "./stop-signals.ts";
import type { SupervisorEvent } from "./supervised-process.ts";
import { createTerminal, formatSeconds } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";
import type { keepTrialLink, TrialLink } from "./trial-link.ts";

const INTERRUPTED = 130;

export type Substitutes = Pick<StartSystemOptions, "processes" | "createWorkspace" | "findTokenFault"> & {
  generate?: typeof generateCode;
  keepTrialLink?: typeof keepTrialLink;
};

/**
 * Runs until a signal. Returns 0 after an orderly stop; 130 if the start was interrupted or everything was killed.
 * Throws OperationalError.
 */
export async function runInForeground(env: Environment, substitutes: Substitutes = {}): Promise<number> {
  const {
    generate = generateCode,
    keepTrialLink: keepTrial = (options) => inChild("keepTrialLink", options),
    ...programs
  } = substitutes;
  const startedAt = performance.now();
  const config = readLaunchConfig(env);
  const { stop, kill } = listenForStop();
  // A closed output must not stop the system.
  process.stdout.on("error", () => {});
  using terminal = createTerminal(process.stdout);
  void waitForAbort(kill).then(() => terminal.print("Killing what still runs …"));
  try {
    await step(terminal.onProgress, "Generated code", () => generate(env));
    await using _logs = await showLogs(config, terminal);
    await using system = await startSystem({
      ...config,
      ...programs,
      onProgress: (event) =>
        terminal.onProgress(stop.aborted && event.type === "failed" ? { ...event, type: "abandoned" } : event),
      onEvent: (event) => showEvent(event, terminal),
      signal: stop,
      killSignal: kill,
    });
    const trial = await orNone(trialLink(system, config, keepTrial), terminal);
    for (const line of greeting(system, config, performance.now() - startedAt, trial)) terminal.print(line);
    await waitForAbort(stop);
    terminal.print("\nStopping …");
  } catch (error) {
    if (!stop.aborted) throw error;
    terminal.print("Stopped before it was up.");
    return INTERRUPTED;
  }
  if (kill.aborted) return INTERRUPTED;
  terminal.print(`Stopped. The data stays in ${config.dataDir} for the next start.`);
  return 0;
}

function trialLink(
  { local: { baseUrl, token }, tokenIsNew }: System,
  { dataDir }: LaunchConfig,
  keep: typeof keepTrialLink,
): Promise<TrialLink | undefined> {
  return keep({ baseUrl, token, file: dataDirPaths(dataDir).trial, isFirstStart: tokenIsNew });
}

async function orNone(link: Promise<TrialLink | undefined>, terminal: Terminal): Promise<TrialLink | undefined> {
  return link.catch((error: unknown) => {
    terminal.print(`There is no survey to try (${reasonOf(error)}).`);
    return undefined;
  });
}

async function showLogs({ dataDir, shownLevel }: LaunchConfig, terminal: Terminal): Promise<AsyncDisposable> {
  const { logs } = await openDataDir(dataDir);
  const format = createLogFormat(shownLevel, process.stdout.isTTY);
  const followers = new AsyncDisposableStack();
  const show = (name: string) => (line: string) => {
    const shown = format(name, line);
    if (shown !== undefined) terminal.print(shown);
  };
  for (const { name } of PROCESSES) followers.use(await followLogFile(join(logs, `${name}.log`), show(name)));
  return followers;
}

function showEvent(event: SupervisorEvent, terminal: Terminal): void {
  const name = styleText("bold", event.name);
  if (event.type === "died") {
    terminal.print(`${name} ended (${event.reason}); it is started again in ${formatSeconds(event.restartInMs)}`);
  } else if (event.type === "killed") {
    terminal.print(`${name} did not stop within ${formatSeconds(event.afterMs)} and was killed`);
  } else if (event.restarted) {
    terminal.print(`${name} is ready again (process ${event.pid})`);
  }
}

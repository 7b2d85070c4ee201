import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Outcome, Preparation, Preparations } from "./preparations.ts";

const PROGRAM = join(import.meta.dirname, "preparations.ts");

/** Runs a preparation in a child, because its modules take 60 MiB. Throws what the preparation throws. */
export async function inChild<Name extends keyof Preparations>(
  name: Name,
  ...args: Parameters<Preparations[Name]>
): Promise<Awaited<ReturnType<Preparations[Name]>>> {
  const preparation: Preparation = { name, args };
  // Detached, because Ctrl-C is for the launcher. The child exits with its channel, and so with the launcher.
  const child = fork(PROGRAM, { execArgv: [], serialization: "advanced", detached: true });
  const ended = Promise.withResolvers<never>();
  // `disconnect` comes after the last message.
  child.once("disconnect", () => ended.reject(new Error(`${name} ended without an outcome`)));
  child.send(preparation);
  const [outcome] = (await Promise.race([once(child, "message"), ended.promise])) as [Outcome];
  if ("result" in outcome) return outcome.result as Awaited<ReturnType<Preparations[Name]>>;
  const { failure, operational } = outcome;
  throw operational ? new OperationalError(reasonOf(failure), { cause: failure }) : failure;
}

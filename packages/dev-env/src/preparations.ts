// Code that only prepares a start. `inChild` runs it in its own process.
import { OperationalError } from "@canvass/provisioning/operational-error";
import { once } from "node:events";

/** Loads the module of the one that runs: all of them take a second. */
const preparations = {
  bundlePrograms: async () => (await import("./bundle-programs.ts")).bundlePrograms,
  prepareDatabases: async () => (await import("./prepare-databases.ts")).prepareDatabases,
  createFirstWorkspace: async () => (await import("./first-workspace.ts")).createFirstWorkspace,
  findTokenFault: async () => (await import("@canvass/operator/token-fault")).findTokenFault,
  keepTrialLink: async () => (await import("./trial-link.ts")).keepTrialLink,
};

export type Preparations = { [Name in keyof typeof preparations]: Awaited<ReturnType<(typeof preparations)[Name]>> };
export type Preparation = { name: keyof Preparations; args: readonly unknown[] };
/** `operational`: the failure is an OperationalError. Its class is lost on the way between processes. */
export type Outcome = { result: unknown } | { failure: unknown; operational: boolean };

process.once("disconnect", () => process.exit());
const [{ name, args }] = (await once(process, "message")) as [Preparation];
const prepare = (await preparations[name]()) as (...args: readonly unknown[]) => Promise<unknown>;
const outcome: Outcome = await prepare(...args).then(
  (result) => ({ result }),
  (failure: unknown) => ({ failure, operational: failure instanceof OperationalError }),
);
process.send!(outcome, undefined, undefined, () => process.disconnect!());

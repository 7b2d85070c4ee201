// Code that only prepares a start. `inChild` runs it in its own process.
import { findTokenFault } from "@canvass/operator";
import { OperationalError } from "@canvass/provisioning/operational-error";
import { once } from "node:events";
import { createFirstWorkspace } from "./first-workspace.ts";
import { prepareDatabases } from "./prepare-databases.ts";
import { keepTrialLink } from "./trial-link.ts";

const bundlePrograms = async (folder: string) => (await import("./bundle-programs.ts")).bundlePrograms(folder);

const preparations = { bundlePrograms, prepareDatabases, createFirstWorkspace, findTokenFault, keepTrialLink };

export type Preparations = typeof preparations;
export type Preparation = { name: keyof Preparations; args: readonly unknown[] };
/** `operational`: the failure is an OperationalError. Its class is lost on the way between processes. */
export type Outcome = { result: unknown } | { failure: unknown; operational: boolean };

process.once("disconnect", () => process.exit());
const [{ name, args }] = (await once(process, "message")) as [Preparation];
const prepare = preparations[name] as (...args: readonly unknown[]) => Promise<unknown>;
const outcome: Outcome = await prepare(...args).then(
  (result) => ({ result }),
  (failure: unknown) => ({ failure, operational: failure instanceof OperationalError }),
);
process.send!(outcome, undefined, undefined, () => process.disconnect!());

import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { OperationalError, type Environment } from "@canvass/provisioning";
import { stateFolder } from "../profiles/folder.ts";
import { readPrivateFile, writePrivateFile } from "../profiles/private-file.ts";
import { randomSecret } from "../webhooks/sign-message.ts";

/** What `listen` forwards, and where: the events of a profile, to an address. Each has its own secret and cursor. */
export type Listener = { url: string; profile: string; forward: string };

/** The stored state of a listener. */
export type ListenerState = Listener & {
  secret: string;
  subscriptionId: string | null;
  /** Every event up to this place in the feed was handled. Null until the first start has read the feed. */
  cursor: string | null;
};

export const listenFolder = (env: Environment): string => join(stateFolder(env), "listen");

export function statePath(env: Environment, { url, profile, forward }: Listener): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([url, profile, forward]))
    .digest("hex");
  return join(listenFolder(env), `${digest.slice(0, 24)}.json`);
}

/** Returns the listener's state, with a new secret if there is none yet. */
export async function readState(env: Environment, listener: Listener): Promise<ListenerState> {
  const path = statePath(env, listener);
  const kept = await readPrivateFile(path);
  if (kept === undefined) return { ...listener, secret: randomSecret(), subscriptionId: null, cursor: null };
  if (hasSecret(kept)) return { ...kept, ...listener };
  throw new OperationalError(`${path} has no secret; delete it, and a new one is made.`);
}

const hasSecret = (kept: unknown): kept is ListenerState =>
  typeof kept === "object" && kept !== null && typeof (kept as Partial<ListenerState>).secret === "string";

export const writeState = (env: Environment, state: ListenerState): Promise<void> =>
  writePrivateFile(statePath(env, state), state);

/** Deletes the stored states of all listeners of a profile. */
export async function removeStates(env: Environment, { url, profile }: Omit<Listener, "forward">): Promise<void> {
  const folder = listenFolder(env);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((each) => each.endsWith(".json"))) {
    const path = join(folder, name);
    const kept = (await readPrivateFile(path)) as Partial<ListenerState> | null | undefined;
    if (kept?.url === url && kept.profile === profile) await rm(path);
  }
}

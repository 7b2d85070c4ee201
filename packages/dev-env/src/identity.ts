import type { Identity } from "@canvass/operator";
import { readJson, writePrivateJson } from "@canvass/provisioning";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";

/**
 * The identity kept in the file `path`, or, on the first start, the one that `create` makes. It outlives a stop,
 * which `local.json` does not. `isNew` tells that the token may be shown, this once.
 */
export async function keepIdentity(
  path: string,
  create: () => Promise<Identity>,
): Promise<{ identity: Identity; isNew: boolean }> {
  const stored = await readStored(path);
  if (stored !== undefined) return { identity: stored, isNew: false };
  const identity = await create();
  await writePrivateJson(path, identity);
  return { identity, isNew: true };
}

async function readStored(path: string): Promise<Identity | undefined> {
  let stored: unknown;
  try {
    stored = await readJson(path);
  } catch (error) {
    throw new OperationalError(
      `${path} can not be read (${reasonOf(error)}); remove it to get a new workspace and token.`,
    );
  }
  if (typeof stored !== "object" || stored === null) return undefined;
  const { workspaceId, personId, token } = stored as Partial<Identity>;
  return workspaceId && personId && token ? { workspaceId, personId, token } : undefined;
}

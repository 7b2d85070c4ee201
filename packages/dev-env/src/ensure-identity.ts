import type { Identity } from "@canvass/operator/local-file";
import { readJson, reasonOf, writePrivateJson } from "@canvass/provisioning";
import { OperationalError } from "@canvass/provisioning/operational-error";

/**
 * Returns the identity in the file at `path`, or creates and stores one; `isNew`: its token may be shown this once.
 * Unlike `local.json`, the file stays after a stop. Throws OperationalError for an unreadable file.
 */
export async function ensureIdentity(
  path: string,
  create: () => Promise<Identity>,
): Promise<{ identity: Identity; isNew: boolean }> {
  const stored = (await readJson(path).catch((error: unknown) => {
    const advice = "remove it to get a new workspace and token";
    throw new OperationalError(`${path} cannot be read (${reasonOf(error)}); ${advice}.`);
  })) as Partial<Identity> | null | undefined;
  const { workspaceId, personId, token } = stored ?? {};
  if (workspaceId && personId && token) return { identity: { workspaceId, personId, token }, isNew: false };
  const identity = await create();
  await writePrivateJson(path, identity);
  return { identity, isNew: true };
}

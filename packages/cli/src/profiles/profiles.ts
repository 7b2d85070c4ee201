import { join } from "node:path";
import { OperationalError, type Environment } from "@canvass/provisioning";
import { holdLock } from "../hold-lock.ts";
import { configFolder } from "./folder.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

export type Profile = { url: string; token: string };
type Profiles = Readonly<Record<string, Profile>>;

export const profilesFile = (env: Environment): string => join(configFolder(env), "profiles.json");

/** Returns all profiles by name. Throws OperationalError if the file has another content, or others may read it. */
export async function readProfiles(env: Environment): Promise<Profiles> {
  const path = profilesFile(env);
  const kept = (await readPrivateFile(path)) ?? { profiles: {} };
  const { profiles } = Object(kept) as { profiles?: unknown };
  if (!isProfiles(profiles)) throw new OperationalError(`${path} has no profiles; delete it and log in again.`);
  // Without a prototype, no name has a profile that was not kept.
  return Object.assign(Object.create(null) as Profiles, profiles);
}

/** Keeps a profile; undefined removes it. */
export async function keepProfile(env: Environment, name: string, profile: Profile | undefined): Promise<void> {
  const path = profilesFile(env);
  // Other logins at the same time keep profiles in the same file.
  const busy = `Another \`canvass login\` or \`logout\` writes ${path}; run it again.`;
  using _lock = holdLock(path.replace(/json$/, "lock"), busy, { waitMs: 10_000 });
  const { [name]: _, ...others } = await readProfiles(env);
  await writePrivateFile(path, { profiles: profile ? { ...others, [name]: profile } : others });
}

function isProfiles(value: unknown): value is Profiles {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((kept: Partial<Profile> | null) => {
    return typeof kept?.url === "string" && typeof kept.token === "string";
  });
}

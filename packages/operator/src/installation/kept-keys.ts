import { createPublicKey } from "node:crypto";
import { callerPrivateKey, callerPublicKey } from "@canvass/access";
import type { EnvEntry } from "./env-entries.ts";
import { KEY_VARIABLES } from "./secret-values.ts";
import { uniqueValue } from "./unique-value.ts";

/** Returns the keys in `entries`, by their names in keys.json. */
export function keptKeys(entries: readonly EnvEntry[]): { keys: Record<string, string>; conflicts: string[] } {
  const keys: Record<string, string> = {};
  const conflicts: string[] = [];
  for (const [variable, key] of KEY_VARIABLES) {
    const places = entries.filter(({ name }) => name === variable).map(({ file, value }) => ({ where: file, value }));
    const unique = uniqueValue(variable, places);
    conflicts.push(...unique.conflicts);
    if (unique.value !== undefined) keys[key] = unique.value;
  }
  if (!isPair(keys["callerPrivateKey"], keys["callerPublicKey"]))
    conflicts.push("CANVASS_CALLER_PUBLIC_KEY is not that of CANVASS_CALLER_PRIVATE_KEY. Change both.");
  return { keys, conflicts };
}

/** True also if a key is absent. */
function isPair(privateKey: string | undefined, publicKey: string | undefined): boolean {
  if (privateKey === undefined || publicKey === undefined) return true;
  try {
    return createPublicKey(callerPrivateKey(privateKey)).equals(callerPublicKey(publicKey));
  } catch {
    return false;
  }
}

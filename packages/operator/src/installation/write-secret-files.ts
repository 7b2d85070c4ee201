import { chmod, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { makeFolder, OperationalError } from "@canvass/provisioning";
import { readIfThere } from "./read-if-there.ts";

export type SecretFile = Readonly<Record<string, string>> | string;

/** Adds missing files and variables; existing values stay. Returns the names of changed files. */
export async function writeSecretFiles(folder: string, files: Readonly<Record<string, SecretFile>>): Promise<string[]> {
  makeFolder(folder);
  const changed: string[] = [];
  for (const [name, file] of Object.entries(files)) {
    const path = join(folder, name);
    const before = await readIfThere(path);
    const after = typeof file === "string" ? (before ?? file) : withMissing(before ?? "", file);
    if (after === before) continue;
    await writeFile(`${path}.new`, after, { mode: 0o600 });
    // Containers read the file as another user. A umask may remove these bits from `mode`.
    await chmod(`${path}.new`, 0o444);
    await rename(`${path}.new`, path);
    changed.push(name);
  }
  return changed;
}

function withMissing(text: string, variables: Readonly<Record<string, string>>): string {
  const known = parseEnv(text);
  const missing = Object.entries(variables).filter(([name]) => known[name] === undefined);
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return start + missing.map(entryOf).join("");
}

/** Quotes what would be read back cut. Throws OperationalError if the value has every kind of quote, too. */
function entryOf([name, value]: [string, string]): string {
  const isCut = /#|^[\s'"`]|\s$/.test(value);
  const quote = isCut ? ["'", "`", '"'].find((each) => !value.includes(each)) : "";
  if (quote !== undefined) return `${name}=${quote}${value}${quote}\n`;
  throw new OperationalError(`${name} cannot be written: its value needs quotes, and has each kind of them.`);
}

import { readIfThere, writeWhole } from "../documents/whole-file.ts";

/** Returns whether the file has this content. Throws OperationalError if it cannot be read. */
export async function isCurrent(path: string, content: string): Promise<boolean> {
  const kept = await readIfThere(path);
  // Git may check files out with other ends of lines.
  return kept?.replaceAll("\r\n", "\n") === content;
}

/** Writes the file whole, and returns whether it was another one before. */
export async function writeIfChanged(path: string, content: string): Promise<boolean> {
  if (await isCurrent(path, content)) return false;
  await writeWhole(path, content, { replace: true });
  return true;
}

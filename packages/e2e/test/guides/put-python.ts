import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const program = join(import.meta.dirname, "python3.ts");

/** Puts a `python3` into a folder of programs, so that guides run also where no Python is installed. */
export async function putPython(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "python3"), `#!/bin/sh\nexec node ${program} "$@"\n`, { mode: 0o755 });
}

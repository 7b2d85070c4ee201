import { readFile } from "node:fs/promises";
import { systemErrorCode } from "@canvass/provisioning";

/** Returns the file's text; undefined if there is no file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

import { open } from "node:fs/promises";
import { writeError } from "../write-error.ts";

/** Appends a body to a file that only its owner may read. `onBytes` gets the size of the file. */
export async function appendBody(response: Response, path: string, onBytes: (bytes: number) => void): Promise<void> {
  await using file = await openFor(path);
  let { size } = await file.stat();
  for await (const chunk of response.body ?? []) {
    await file.appendFile(chunk as Uint8Array).catch((error: unknown) => {
      throw writeError(path, error);
    });
    onBytes((size += (chunk as Uint8Array).length));
  }
  await file.sync();
}

const openFor = (path: string) =>
  open(path, "a", 0o600).catch((error: unknown) => {
    throw writeError(path, error);
  });

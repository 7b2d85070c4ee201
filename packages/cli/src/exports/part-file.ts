import { rm, stat } from "node:fs/promises";
import { readJson, writePrivateJson } from "@canvass/provisioning";
import { notWritten } from "../not-written.ts";

/** What an interrupted download notes beside its part, to go on from. */
export type Part = {
  exportId: string;
  /** The file's ETag; null until the download begins. */
  etag: string | null;
  /** The same request of the same installation goes on, another one begins anew. */
  request: string;
};

export const partPaths = (path: string) => ({ data: `${path}.part`, note: `${path}.part.json` });

/** Returns the note for this request; undefined if there is none, or one for another request. */
export async function readPart(path: string, request: string): Promise<Part | undefined> {
  const kept = Object(await readJson(partPaths(path).note).catch(() => undefined)) as Partial<Part>;
  return kept.request === request && typeof kept.exportId === "string" ? (kept as Part) : undefined;
}

export async function writePart(path: string, part: Part): Promise<void> {
  await writePrivateJson(partPaths(path).note, part).catch((error: unknown) => {
    throw notWritten(path, error);
  });
}

export async function removePart(path: string): Promise<void> {
  const { data, note } = partPaths(path);
  await Promise.all([rm(data, { force: true }), rm(note, { force: true })]);
}

export async function bytesOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

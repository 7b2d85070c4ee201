import { rm, stat } from "node:fs/promises";
import { readJson, writePrivateJson } from "@canvass/provisioning";
import { writeError } from "../write-error.ts";

/** The note beside a partial file, with which an interrupted download resumes. */
export type PartNote = {
  exportId: string;
  /** The file's ETag; null until the download starts. */
  etag: string | null;
  /** URL, survey and options as JSON. If they differ, the download starts over. */
  request: string;
};

export const partPaths = (path: string) => ({ data: `${path}.part`, note: `${path}.part.json` });

/** Returns the note of this request; undefined if there is none, or if it belongs to another request. */
export async function readNote(path: string, request: string): Promise<PartNote | undefined> {
  const note = (await readJson(partPaths(path).note).catch(() => undefined)) as Partial<PartNote> | null | undefined;
  return note?.request === request && typeof note.exportId === "string" ? (note as PartNote) : undefined;
}

export async function writeNote(path: string, note: PartNote): Promise<void> {
  await writePrivateJson(partPaths(path).note, note).catch((error: unknown) => {
    throw writeError(path, error);
  });
}

export async function removePart(path: string): Promise<void> {
  const { data, note } = partPaths(path);
  await Promise.all([rm(data, { force: true }), rm(note, { force: true })]);
}

/** Returns the size in bytes; undefined if there is no file. */
export async function fileSize(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

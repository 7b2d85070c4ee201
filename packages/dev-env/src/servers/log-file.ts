import { watch } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";

const ROTATE_AT_BYTES = 20 * 1024 * 1024;
const GATHER_MS = 150;

/**
 * Opens a log file for appending; one above 20 MiB is first renamed to `<path>.1`. The process itself writes it, so its
 * last lines survive the launcher.
 */
export async function openLogFile(path: string): Promise<FileHandle> {
  const size = await sizeOf(path);
  if (size > ROTATE_AT_BYTES) await rename(path, `${path}.1`);
  return open(path, "a", 0o600);
}

/** Returns the last `count` lines after position `since`; none if there is no file. */
export async function lastLines(path: string, count: number, since = 0): Promise<string[]> {
  const size = await sizeOf(path);
  // A file that is smaller than `since` was rotated.
  const begin = since > size ? 0 : since;
  const text = await readFrom(path, Math.max(begin, size - 64 * 1024));
  return text
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .slice(-count);
}

/** Calls `onLine` for every new line; disposing reads the rest. The directory must exist. */
export async function followLogFile(path: string, onLine: (line: string) => void): Promise<AsyncDisposable> {
  let position = await sizeOf(path);
  let rest = Buffer.alloc(0);
  const readMore = async () => {
    const size = await sizeOf(path);
    if (size < position) position = 0;
    if (size === position) return;
    const added = await readFrom(path, position);
    position += added.length;
    const lines = Buffer.concat([rest, added]);
    const end = lines.lastIndexOf("\n") + 1;
    rest = lines.subarray(end);
    for (const line of lines.toString("utf8", 0, end).split("\n")) if (line !== "") onLine(line);
  };
  let reading = Promise.resolve();
  const read = () => {
    gathering = undefined;
    reading = reading.then(readMore).catch(() => {});
    return reading;
  };
  let gathering: NodeJS.Timeout | undefined;
  // Watch the directory, because the file may be missing or rotated.
  const watcher = watch(dirname(path), (_event, name) => {
    if (name === basename(path)) gathering ??= setTimeout(() => void read(), GATHER_MS);
  });
  return {
    async [Symbol.asyncDispose]() {
      watcher.close();
      clearTimeout(gathering);
      await read();
    },
  };
}

export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readFrom(path: string, position: number): Promise<Buffer> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.max(0, size - position));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

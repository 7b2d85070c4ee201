import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { oneLine } from "../../../domain/one-line.ts";
import type { OutgoingMail } from "./render-message.ts";
import type { SendOutcome } from "./send-outcome.ts";

/** File names sort by time. A mail that is sent again gets the same name. */
export function emlName({ id, date }: Pick<OutgoingMail, "id" | "date">): string {
  return `${date.toISOString().replace(/[-:.]/g, "")}-${id}.eml`;
}

/** Writes a file atomically, readable by its owner only. Never rejects. */
export async function writeEml(directory: string, name: string, message: Buffer): Promise<SendOutcome> {
  const unfinished = join(directory, `.${randomUUID()}.tmp`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeThrough(unfinished, message);
    await rename(unfinished, join(directory, name));
    return { state: "sent" };
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    return { state: "unavailable", reason: oneLine((error as Error).message, 300) };
  }
}

async function writeThrough(path: string, message: Buffer): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(message);
  await file.sync();
}

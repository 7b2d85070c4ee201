import type { CursorCodec } from "@canvass/postgres";
import type { ExportRef } from "../storage/exports.ts";

const binding = ["export-download"];
/** Long enough to begin a download by hand. */
const lifeMs = 15 * 60 * 1000;

export interface DownloadToken {
  token: string;
  expiresAt: Date;
}

/** Names an export's file for some minutes, but no longer than there is a file. Who has the token needs nothing else. */
export function signDownload(
  cursors: CursorCodec,
  { workspaceId, exportId }: ExportRef,
  now: Date,
  fileExpiresAt: Date,
): DownloadToken {
  const expiresAt = new Date(Math.min(now.getTime() + lifeMs, fileExpiresAt.getTime()));
  return { token: cursors.encode(binding, [workspaceId, exportId, expiresAt.getTime()]), expiresAt };
}

/** The export that a token names; undefined for a token that was changed, or has expired. */
export function readDownload(cursors: CursorCodec, token: string, now: Date): ExportRef | undefined {
  const [workspaceId, exportId, expiresAt] = cursors.decode(binding, token) ?? [];
  if (typeof workspaceId !== "string" || typeof exportId !== "string") return undefined;
  return Number(expiresAt) > now.getTime() ? { workspaceId, exportId } : undefined;
}

import type { CursorCodec } from "@canvass/postgres";
import type { LinkRef } from "../../storage/exports/download-links.ts";
import type { ExportRef } from "../../storage/exports/exports.ts";

const binding = ["download-link"];
/** Long enough to begin a download by hand. */
export const linkLifeMs = 15 * 60 * 1000;

/** Until when a link is good: for some minutes, but no longer than there is a file. */
export function linkExpiry(now: Date, fileExpiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + linkLifeMs, fileExpiresAt.getTime()));
}

/** Names a link to an export's file. Who has the token needs nothing else. */
export function signDownload(cursors: CursorCodec, { workspaceId, linkId }: LinkRef): string {
  return cursors.encode(binding, [workspaceId, linkId]);
}

/** The link that a token names; undefined for a token that was changed. */
export function readDownload(cursors: CursorCodec, token: string): LinkRef | undefined {
  const [workspaceId, linkId] = cursors.decode(binding, token) ?? [];
  if (typeof workspaceId !== "string" || typeof linkId !== "string") return undefined;
  return { workspaceId, linkId };
}

const formerBinding = ["export-download"];

/** The export that a token names which a process made before links were stored. Such tokens hold their own end. */
export function readFormerDownload(cursors: CursorCodec, token: string, now: Date): ExportRef | undefined {
  const [workspaceId, exportId, expiresAt] = cursors.decode(formerBinding, token) ?? [];
  if (typeof workspaceId !== "string" || typeof exportId !== "string") return undefined;
  return Number(expiresAt) > now.getTime() ? { workspaceId, exportId } : undefined;
}

import type { CursorCodec } from "@canvass/postgres";
import type { LinkRef } from "../../storage/exports/download-links.ts";
import type { ExportRef } from "../../storage/exports/exports.ts";

const binding = ["download-link"];
export const linkLifeMs = 15 * 60 * 1000;

export function linkExpiry(now: Date, fileExpiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + linkLifeMs, fileExpiresAt.getTime()));
}

/** Returns the token of a download link. Anyone with the token can download the file. */
export function signDownloadToken(cursors: CursorCodec, { workspaceId, linkId }: LinkRef): string {
  return cursors.encode(binding, [workspaceId, linkId]);
}

export function readDownloadToken(cursors: CursorCodec, token: string): LinkRef | undefined {
  const [workspaceId, linkId] = cursors.decode(binding, token) ?? [];
  if (typeof workspaceId !== "string" || typeof linkId !== "string") return undefined;
  return { workspaceId, linkId };
}

const formerBinding = ["export-download"];

/** Reads tokens that were issued before links were stored. They name the export and their expiry. */
export function readFormerDownloadToken(cursors: CursorCodec, token: string, now: Date): ExportRef | undefined {
  const [workspaceId, exportId, expiresAt] = cursors.decode(formerBinding, token) ?? [];
  if (typeof workspaceId !== "string" || typeof exportId !== "string") return undefined;
  return Number(expiresAt) > now.getTime() ? { workspaceId, exportId } : undefined;
}

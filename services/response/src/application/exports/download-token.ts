import type { CursorCodec } from "@canvass/postgres";
import type { LinkRef } from "../../storage/exports/download-links.ts";
import type { ExportRef } from "../../storage/exports/exports.ts";

const binding = ["download-link"];
/** Long enough to start a download by hand. */
export const linkLifeMs = 15 * 60 * 1000;

/** A link expires after `linkLifeMs`, or earlier with its file. */
export function linkExpiry(now: Date, fileExpiresAt: Date): Date {
  return new Date(Math.min(now.getTime() + linkLifeMs, fileExpiresAt.getTime()));
}

/** Returns the token of a download link. Whoever has the token may download. */
export function signDownload(cursors: CursorCodec, { workspaceId, linkId }: LinkRef): string {
  return cursors.encode(binding, [workspaceId, linkId]);
}

/** Returns the link that a token names. Undefined if the token is not authentic. */
export function readDownload(cursors: CursorCodec, token: string): LinkRef | undefined {
  const [workspaceId, linkId] = cursors.decode(binding, token) ?? [];
  if (typeof workspaceId !== "string" || typeof linkId !== "string") return undefined;
  return { workspaceId, linkId };
}

const formerBinding = ["export-download"];

/** Returns the export that a token from before links were stored names. Such a token contains its expiry. */
export function readFormerDownload(cursors: CursorCodec, token: string, now: Date): ExportRef | undefined {
  const [workspaceId, exportId, expiresAt] = cursors.decode(formerBinding, token) ?? [];
  if (typeof workspaceId !== "string" || typeof exportId !== "string") return undefined;
  return Number(expiresAt) > now.getTime() ? { workspaceId, exportId } : undefined;
}

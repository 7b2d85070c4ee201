import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { appendEvents } from "@canvass/events";
import { FileNotFound } from "../storage/file-store/file-store.ts";
import { inTransaction } from "@canvass/postgres";
import type { StreamDownloadRequest, StreamDownloadResponseSchema } from "@canvass/proto/exports";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { findDownload, type LinkedDownload } from "../application/downloads/find-download.ts";
import { markLinkUsed } from "../storage/exports/download-links.ts";

export async function* streamDownload(
  context: ResponseContext,
  { downloadToken, range }: StreamDownloadRequest,
  call: Call,
): AsyncGenerator<MessageInitShape<typeof StreamDownloadResponseSchema>> {
  const { database, cursors, exports, now } = context;
  const linked = await findDownload({ sql: database.sql, cursors }, downloadToken, now());
  if (!exports) throw new AppError("service_unavailable", { part: "file storage" });
  const { key } = linked.download;
  const bytes = range && { start: Number(range.start), end: Number(range.end) };
  await recordDownload(context, linked, call, (bytes?.start ?? 0) === 0);
  try {
    for await (const chunk of exports.files.read(key, bytes)) yield { piece: chunk };
  } catch (error) {
    throw error instanceof FileNotFound ? new AppError("export_not_found") : error;
  }
}

/** Runs before the first byte is sent. */
async function recordDownload(
  { database, limitWrites, outbox, now }: ResponseContext,
  { link, download }: LinkedDownload,
  call: Call,
  isFromStart: boolean,
): Promise<void> {
  if (!link) return;
  const at = now();
  await limitWrites(() =>
    inTransaction(database.pool, async (sql) => {
      const madeBy = await markLinkUsed(sql, link, { isFromStart, now: at });
      if (madeBy) await appendEvents(sql, [download.audit(call, madeBy, at)]);
    }),
  );
  outbox.nudge();
}

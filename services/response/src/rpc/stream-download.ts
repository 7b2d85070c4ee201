import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { appendEvents } from "@canvass/events";
import { FileNotFound } from "../storage/file-store/file-store.ts";
import { inTransaction, type Sql } from "@canvass/postgres";
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
  const { exports } = context;
  const find = (sql: Sql) => findDownload({ sql, cursors: context.cursors }, downloadToken, context.now());
  const linked = await find(context.database.sql);
  if (!exports) throw new AppError("service_unavailable", { part: "file storage" });
  const { key } = linked.download;
  const bytes = range && { start: Number(range.start), end: Number(range.end) };
  await recordDownload(context, linked, { call, isFromStart: (bytes?.start ?? 0) === 0, find });
  try {
    for await (const chunk of exports.files.read(key, bytes)) yield { piece: chunk };
  } catch (error) {
    throw error instanceof FileNotFound ? new AppError(linked.download.absent) : error;
  }
}

interface Recording {
  call: Call;
  isFromStart: boolean;
  find: (sql: Sql) => Promise<unknown>;
}

/** Runs before the first byte is sent. Throws if the download was deleted meanwhile. */
async function recordDownload(
  { database, limitWrites, outbox, now }: ResponseContext,
  { link, download }: LinkedDownload,
  { call, isFromStart, find }: Recording,
): Promise<void> {
  if (!link) return;
  const at = now();
  await limitWrites(() =>
    inTransaction(database.pool, async (sql) => {
      const madeBy = await markLinkUsed(sql, link, { isFromStart, now: at });
      await find(sql);
      if (madeBy) await appendEvents(sql, [download.audit(call, madeBy, at)]);
    }),
  );
  outbox.nudge();
}

import type { FileStore } from "../../storage/file-store/file-store.ts";
import { startLoop } from "@canvass/jobs";
import type { ResponseShell } from "../../context.ts";
import type { FileLimits } from "../../domain/files/file-limits.ts";
import type { FileRef } from "../../domain/files/uploaded-file.ts";
import { markExpired, removeDeletedRow, postponeDeletion } from "../../storage/files/deletions.ts";

const cleaning = { atOnce: 100, pauseMs: 60_000, retryMs: 600_000, mostFailures: 3 };

export interface Files extends AsyncDisposable {
  store: FileStore;
  limits: FileLimits;
  /** Deletes expired files soon, in the background. */
  clean(): void;
}

export const fileFolder = ({ workspaceId, fileId }: FileRef): string => `files/${workspaceId}/${fileId}`;

export const contentKey = (ref: FileRef): string => `${fileFolder(ref)}/content`;

/** Deletes expired files: marks the row, so that no answer can name it, then deletes the bytes, then the row. */
export function startFiles({ database, now, log }: ResponseShell, store: FileStore, limits: FileLimits): Files {
  const { sql } = database;
  const cleaner = startLoop({
    minGapMs: 20,
    maxBackOffMs: 60_000,
    round: async () => {
      const expired = await markExpired(sql, now(), cleaning.atOnce);
      let failures = 0;
      for (const ref of expired) {
        try {
          await store.deleteFolder(fileFolder(ref));
        } catch (err) {
          await postponeDeletion(sql, ref, new Date(now().getTime() + cleaning.retryMs));
          failures += 1;
          if (failures === cleaning.mostFailures) throw err;
          log.warn({ err, fileId: ref.fileId }, "an uploaded file could not be deleted; it is tried again later");
          continue;
        }
        await removeDeletedRow(sql, ref);
      }
      return expired.length < cleaning.atOnce ? cleaning.pauseMs : 0;
    },
    onFailure: (err, inARow) => {
      if (inARow === 1) log.warn({ err }, "uploaded files could not be deleted");
    },
  });
  return { store, limits, clean: () => cleaner.nudge(), [Symbol.asyncDispose]: () => cleaner[Symbol.asyncDispose]() };
}

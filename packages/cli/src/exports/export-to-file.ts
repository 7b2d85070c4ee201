import { access, constants, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { OperationalError, placeFile, requirePlace, type Environment } from "@canvass/provisioning";
import { CanvassError, type Api, type Canvass, type Export } from "@canvass/sdk";
import { writeError } from "../write-error.ts";
import { appendBody } from "./append-body.ts";
import { lockExport } from "./lock-export.ts";
import { fileSize, partPaths, readNote, removePart, writeNote, type PartNote } from "./part-file.ts";
import { progressBar } from "./progress-bar.ts";

export type ExportWish = {
  env: Environment;
  url: string;
  surveyId: string;
  wish: Api.CreateExportRequest;
  path: string;
  replace: boolean;
  progress: (line: string | undefined) => void;
};

/** Exports answers to a file, which appears whole or not at all. Resumes an interrupted download. */
export async function exportToFile(
  canvass: Canvass,
  { env, url, surveyId, wish, path, replace, progress }: ExportWish,
) {
  using _lock = lockExport(env, path);
  await refuseUnwritable(path, replace);
  const request = JSON.stringify([url, surveyId, wish]);
  const { data } = partPaths(path);
  const kept = await readNote(path, request);
  const found = kept && (await findExport(canvass, kept.exportId));
  if (!found) await removePart(path);
  const queued = found ?? (await canvass.exports.create(surveyId, wish));
  const note: PartNote = found ? kept : { exportId: queued.id, etag: null, request };
  if (!found) await writeNote(path, note);
  const job = await queued.wait({
    onProgress: ({ percentComplete }) => progress(progressBar(percentComplete, "made")),
  });
  const bytes = note.etag === null ? 0 : ((await fileSize(data)) ?? 0);
  if (bytes < job.size! || bytes === 0) {
    const after = bytes > 0 ? { after: { bytes, etag: note.etag! } } : {};
    const response = await job.download(after);
    const continues = response.headers.has("content-range");
    if (bytes > 0 && !continues) await rm(data);
    await writeNote(path, { ...note, etag: response.headers.get("etag") });
    await appendBody(response, data, (received) => progress(progressBar(share(received, job.size), "downloaded")));
  }
  await placeFile(data, path, { replace }).catch((error: unknown) => {
    throw error instanceof OperationalError ? error : writeError(path, error);
  });
  await removePart(path);
  return { file: path, format: job.format, rows: job.rows, bytes: await fileSize(path), warnings: job.warnings };
}

/** Checks the path before an export is made. Throws OperationalError if the file cannot be written. */
async function refuseUnwritable(path: string, replace: boolean): Promise<void> {
  await requirePlace(path, { replace });
  await access(dirname(path), constants.W_OK).catch((error: unknown) => {
    throw writeError(path, error);
  });
}

const share = (bytes: number, size: number | null) => (size ? Math.floor((100 * bytes) / size) : 100);

/** Returns the export; undefined if it failed, was cancelled or deleted. */
async function findExport(canvass: Canvass, exportId: string): Promise<Export | undefined> {
  try {
    const job = await canvass.exports.get(exportId);
    return ["queued", "processing", "completed"].includes(job.status) ? job : undefined;
  } catch (error) {
    if (error instanceof CanvassError && error.status === 404) return undefined;
    throw error;
  }
}

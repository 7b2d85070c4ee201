import { access, constants, link, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { OperationalError, systemErrorCode, type Environment } from "@canvass/provisioning";
import { CanvassError, type Api, type Canvass, type Export } from "@canvass/sdk";
import { notWritten } from "../not-written.ts";
import { appendBody } from "./append-body.ts";
import { lockExport } from "./lock-export.ts";
import { bytesOf, partPaths, readPart, removePart, writePart, type Part } from "./part-file.ts";
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

/** Exports answers to a file, which appears whole or not at all. Goes on with what an interrupted call left. */
export async function exportToFile(
  canvass: Canvass,
  { env, url, surveyId, wish, path, replace, progress }: ExportWish,
) {
  using _lock = lockExport(env, path);
  await refuseUnwritable(path, replace);
  const request = JSON.stringify([url, surveyId, wish]);
  const { data } = partPaths(path);
  const kept = await readPart(path, request);
  const found = kept && (await fileOf(canvass, kept.exportId));
  if (!found) await removePart(path);
  const queued = found ?? (await canvass.exports.create(surveyId, wish));
  const part: Part = found ? kept : { exportId: queued.id, etag: null, request };
  if (!found) await writePart(path, part);
  const job = await queued.wait({
    onProgress: ({ percentComplete }) => progress(progressBar(percentComplete, "made")),
  });
  const bytes = part.etag === null ? 0 : ((await bytesOf(data)) ?? 0);
  if (bytes < job.size! || bytes === 0) {
    const after = bytes > 0 ? { after: { bytes, etag: part.etag! } } : {};
    const response = await job.download(after);
    const continues = response.headers.has("content-range");
    if (bytes > 0 && !continues) await rm(data);
    await writePart(path, { ...part, etag: response.headers.get("etag") });
    await appendBody(response, data, (received) => progress(progressBar(share(received, job.size), "downloaded")));
  }
  await place(data, path, replace);
  await removePart(path);
  return { file: path, format: job.format, rows: job.rows, bytes: await bytesOf(path), warnings: job.warnings };
}

/** Refuses what is known before an export is made. */
async function refuseUnwritable(path: string, replace: boolean): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  // A rename would put a file in the place of a device.
  if (there && !there.isFile()) throw new OperationalError(`${path} is no file; give the name of a file to --out.`);
  if (there && !replace) throw isThere(path);
  await access(dirname(path), constants.W_OK).catch((error: unknown) => {
    throw notWritten(path, error);
  });
}

const share = (bytes: number, size: number | null) => (size ? Math.floor((100 * bytes) / size) : 100);

/** The export if its file can still be had; undefined if it has ended without, or is gone. */
async function fileOf(canvass: Canvass, exportId: string): Promise<Export | undefined> {
  try {
    const job = await canvass.exports.get(exportId);
    return ["queued", "processing", "completed"].includes(job.status) ? job : undefined;
  } catch (error) {
    if (error instanceof CanvassError && error.status === 404) return undefined;
    throw error;
  }
}

/** A link, unlike a rename, never replaces a file that came meanwhile. */
async function place(data: string, path: string, replace: boolean): Promise<void> {
  try {
    await (replace ? rename(data, path) : link(data, path));
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") throw isThere(path);
    throw notWritten(path, error);
  }
}

const isThere = (path: string) => new OperationalError(`${path} is there already; give another --out, or --force.`);

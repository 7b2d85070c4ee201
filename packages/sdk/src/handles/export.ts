import type { ExportJob } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { CanvassError } from "../errors/canvass-error.ts";
import type { RequestOptions, WriteOptions } from "../options.ts";
import { downloadExport, type DownloadOptions } from "../streams/download-export.ts";
import { untilEnded, type WaitOptions } from "./until-ended.ts";
import { withMethods } from "./with-methods.ts";

interface ExportMethods {
  /** Waits until the file is there. Throws a `CanvassError` with the code `export_not_made` if it will not be. */
  wait(options?: WaitOptions): Promise<Export>;
  /** Downloads the file, and continues where the connection is cut. */
  download(options?: DownloadOptions): Promise<Response>;
  reload(options?: RequestOptions): Promise<Export>;
  /** Cancels the export, or deletes its file. */
  delete(options?: WriteOptions): Promise<Export>;
}

/** An export at the time it was read. */
export type Export = ExportJob & ExportMethods;

/** Gives an export its methods. */
export function exportOf(connection: Connection, data: ExportJob): Export {
  const { api, sending } = connection;
  const path = { exportId: data.id };
  const reload = async (options?: RequestOptions) =>
    exportOf(connection, (await api.getExport({ path, ...sending(options) })).data.data);
  return withMethods<ExportJob, ExportMethods>(data, {
    reload,
    wait: (options) => waitForFile(exportOf(connection, data), options),
    download: (options) => downloadExport(connection, data.id, options),
    delete: async (options) => exportOf(connection, (await api.deleteExport({ path, ...sending(options) })).data.data),
  });
}

async function waitForFile(queued: Export, options?: WaitOptions): Promise<Export> {
  const job = await untilEnded<ExportJob, Export>(queued, options);
  if (job.status !== "completed") throw notMade(job);
  return job;
}

const notMade = (job: ExportJob) =>
  new CanvassError({
    code: "export_not_made",
    message: `The export is ${job.status}. ${job.error?.message ?? ""}`.trim(),
    suggestion: "Request it again if its reason allows.",
    retryable: false,
    details: { export: job },
  });

import type { CreateExportRequest } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { exportOf, type Export } from "../handles/export.ts";
import type { CallOptions } from "../options.ts";

/** Answers as files. */
export function exportsOf(connection: Connection) {
  const { api, sending } = connection;
  return {
    /** Requests an export; `wait` waits for its file. */
    async create(surveyId: string, body: CreateExportRequest, options?: CallOptions): Promise<Export> {
      const { data } = await api.createExport({ path: { surveyId }, body, ...sending(options) });
      return exportOf(connection, data.data);
    },
    async get(exportId: string, options?: CallOptions): Promise<Export> {
      const { data } = await api.getExport({ path: { exportId }, ...sending(options) });
      return exportOf(connection, data.data);
    },
  };
}

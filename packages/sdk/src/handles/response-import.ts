import type {
  ImportResponsesData,
  ImportResponsesRequest,
  ResponseImport as ResponseImportData,
} from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { CanvassError } from "../errors/canvass-error.ts";
import type { RequestOptions } from "../options.ts";
import { untilEnded, type WaitOptions } from "./until-ended.ts";
import { withMethods } from "./with-methods.ts";

/** A CSV file of answers (contract 7.22). */
export interface AnswersFile {
  /** Bytes are sent unchanged, in any charset that the API supports. */
  csv: Uint8Array | string;
  /** True: columns that the survey does not have are left out, instead of refusing the file. */
  skipUnknown?: boolean;
}

interface ImportMethods {
  /**
   * Waits until each row is stored, skipped or refused. Throws a `CanvassError` with the code `import_not_made` if that
   * will not be.
   */
  wait(options?: WaitOptions<ResponseImportData>): Promise<ResponseImport>;
  reload(options?: RequestOptions): Promise<ResponseImport>;
}

/** An import of answers at the time it was read. */
export type ResponseImport = ResponseImportData & ImportMethods;

/** The body of a file, as the generated class takes it. */
export const answersBody = ({ csv, skipUnknown }: AnswersFile): Pick<ImportResponsesData, "body" | "query"> => ({
  body: csv as ImportResponsesRequest,
  query: skipUnknown === undefined ? {} : { skipUnknown },
});

/** Gives an import its methods. */
export function responseImportOf(connection: Connection, data: ResponseImportData): ResponseImport {
  const { api, sending } = connection;
  const path = { importId: data.id };
  return withMethods<ResponseImportData, ImportMethods>(data, {
    reload: async (options) =>
      responseImportOf(connection, (await api.getResponseImport({ path, ...sending(options) })).data.data),
    async wait(options) {
      const ended = await untilEnded<ResponseImportData, ResponseImport>(responseImportOf(connection, data), options);
      if (ended.status === "failed") throw notMade(ended);
      return ended;
    },
  });
}

const notMade = (job: ResponseImportData) =>
  new CanvassError({
    code: "import_not_made",
    message: `The import failed. ${job.error?.message ?? ""}`.trim(),
    suggestion: "Import the file again; rows with an external id that are stored already are skipped.",
    retryable: false,
    details: { import: job },
  });

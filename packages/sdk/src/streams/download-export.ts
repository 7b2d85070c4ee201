import type { Connection } from "../connection/connect.ts";
import { mediaTypeOf } from "../connection/require-media-type.ts";
import { CanvassError } from "../errors/canvass-error.ts";
import { readFailure } from "../errors/read-failure.ts";
import { connectionFailed, toCanvassError, unexpectedResponse } from "../errors/to-canvass-error.ts";
import type { RequestOptions } from "../options.ts";
import { readChunks } from "./read-chunks.ts";
import { resume } from "./resume.ts";
import { toBody } from "./to-body.ts";

export interface DownloadOptions extends RequestOptions {
  /**
   * What an earlier download left: its bytes, and the file's ETag. The response has the rest, or all if the file has
   * changed (no `content-range`).
   */
  after?: { bytes: number; etag: string };
}

/** Downloads the file of an export. Where the connection is cut, it asks for the rest by a range, at a new address. */
export async function downloadExport(
  connection: Connection,
  exportId: string,
  { after, ...options }: DownloadOptions = {},
): Promise<Response> {
  const { signal } = options;
  let received = after?.bytes ?? 0;
  const rest = (etag: string) => new Headers({ range: `bytes=${received}-`, "if-range": etag });
  const first = await openFile(connection, exportId, received > 0 ? rest(after!.etag) : new Headers(), options);
  // The response has the whole file: nothing was left, or the file is another one by now.
  if (first.status !== 206) received = 0;
  const etag = first.headers.get("etag") ?? "";
  const size = received + Number(first.headers.get("content-length") ?? Number.NaN);
  let response: Response | undefined = first;
  const open = async () => {
    response ??= await openFile(connection, exportId, rest(etag), options);
    if (received > 0 && response.status !== 206) throw connectionFailed(new Error("the file has changed"));
    const chunks = wholeFile(response);
    response = undefined;
    return chunks;
  };
  async function* wholeFile(opened: Response) {
    for await (const chunk of readChunks(opened, signal)) {
      received += chunk.length;
      yield chunk;
    }
    if (received < size) throw connectionFailed(new Error("the file is cut"));
  }
  const chunks = resume(open, { retries: connection.retries, signal });
  return new Response(toBody(chunks), { headers: first.headers });
}

/** Each address is good for a quarter of an hour, so every request takes a new one. */
async function openFile(
  { api, sending, ...connection }: Connection,
  exportId: string,
  headers: Headers,
  options: RequestOptions,
): Promise<Response> {
  const sent = sending(options);
  const { fetch = connection.fetch } = sent;
  const { data } = await api.getExportDownload({ path: { exportId }, ...sent });
  const request = new Request(data.data.url, { headers, ...(options.signal && { signal: options.signal }) });
  const response = await fetch(request).catch((error: unknown) => {
    throw toCanvassError(error, undefined, request);
  });
  // No export is a page.
  if (response.ok && mediaTypeOf(response) === "text/html") throw unexpectedResponse(response);
  if (response.ok) return response;
  throw toCanvassError(await readFailure(response), response, request) as CanvassError;
}

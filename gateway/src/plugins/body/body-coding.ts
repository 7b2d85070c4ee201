import { AppError } from "@canvass/errors";
import { brotliDecompressSync, gunzipSync, inflateSync, type BrotliOptions, type ZlibOptions } from "node:zlib";

type Inflate = (bytes: Buffer, options: ZlibOptions & BrotliOptions) => Buffer;

/** Supported content codings of bodies (RFC 9110, 8.4.1). */
const inflaters: Record<string, Inflate> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The `Accept-Encoding` of a response that refuses a coding (RFC 9110, 12.5.3). */
export const acceptedCodings = "gzip, deflate, br, identity";

export const codingHeader = "Content-Encoding";

/**
 * Inflates a body by its `Content-Encoding` (`header`). Synchronous, so that a slow sender holds no decoder;
 * `mostBytes` limits how long it takes. Throws `unsupported_media_type`, `payload_too_large` and `invalid_request`.
 */
export function decode(bytes: Buffer, header: string | undefined, mostBytes: number): Buffer {
  const coding = header?.trim().toLowerCase() ?? "identity";
  if (coding === "identity" || coding === "") return bytes;
  if (!Object.hasOwn(inflaters, coding)) {
    const message = `must be one of ${acceptedCodings}`;
    throw new AppError("unsupported_media_type", { [codingHeader]: [message] }, "The body's coding is not supported.");
  }
  try {
    return inflaters[coding]!(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw new AppError("payload_too_large");
    throw new AppError("invalid_request", { body: [`is not coded as ${codingHeader} says`] });
  }
}

import { AppError } from "@canvass/errors";
import { brotliDecompressSync, gunzipSync, inflateSync, type BrotliOptions, type ZlibOptions } from "node:zlib";

type Inflate = (bytes: Buffer, options: ZlibOptions & BrotliOptions) => Buffer;

/** Content codings that bodies may come in (RFC 9110, 8.4.1). */
const inflaters: Record<string, Inflate> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** For `Accept-Encoding` of an answer that refuses a coding (RFC 9110, 12.5.3). */
export const acceptedCodings = "gzip, deflate, br, identity";

/** The name under which the details of an error tell of a coding that is refused. */
export const codingHeader = "Content-Encoding";

/**
 * The content of a body that arrived whole, at most `mostBytes` of it. It is inflated in one go, so that no decoder's
 * window is held for a sender that drips; with the bound that takes a few milliseconds, whatever is sent.
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

import { AppError } from "@canvass/errors";

export const incompleteUpload = () => new AppError("request_timeout", {}, "The upload is incomplete.");

/** Throws `incompleteUpload` for a sender that disconnects, because it is no internal error. */
export function rethrowDisconnect(error: unknown): never {
  const disconnected = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
  throw disconnected ? incompleteUpload() : error;
}

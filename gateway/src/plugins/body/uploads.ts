import { AppError } from "@canvass/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Socket } from "node:net";
import { codingHeader } from "./body-coding.ts";

export const multipartType = "multipart/form-data";

/** Lets the routes of `scope` accept files. The route's `body` is then the unread request. */
export function acceptUploadBodies(scope: Pick<FastifyInstance, "addContentTypeParser">): void {
  scope.addContentTypeParser(multipartType, (_request, payload, done) => done(null, payload));
}

export function requireNoCoding({ headers }: FastifyRequest): void {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding === "identity") return;
  throw new AppError("unsupported_media_type", { [codingHeader]: ["must be identity"] }, "Files are sent as they are.");
}

const uploading = new WeakSet<Socket>();

/** Whether the connection is receiving a large body, for which the time limit of others is too short. */
export const isUploading = (socket: Socket): boolean => uploading.has(socket);

/** Makes `isUploading` true of the connection until it is disposed. */
export function markUploading(socket: Socket): Disposable {
  uploading.add(socket);
  return { [Symbol.dispose]: () => void uploading.delete(socket) };
}

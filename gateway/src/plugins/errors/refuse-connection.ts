import { errorCatalogue } from "@canvass/errors";
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Refusal } from "../known-routes/known-paths.ts";
import { closeInStages, type LingerBounds } from "../connection-hooks/close-in-stages.ts";
import { endAfterResponses } from "../connection-hooks/pipelines.ts";
import { commonHeaders } from "../connection-hooks/connection-hooks.ts";
import type { WriteRequestLine } from "../request-log/request-lines.ts";
import { errorResponse } from "./error-response.ts";

export type RefuseConnection = (socket: Duplex, refusal: Refusal) => void;

/** Refuses input that never becomes a request. */
export function connectionRefuser(
  publicUrl: string,
  now: () => Date,
  linger: LingerBounds,
  writeLine: WriteRequestLine = () => {},
): RefuseConnection {
  const common = commonHeaders(publicUrl);
  return (socket, refusal) => {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    if (endAfterResponses(socket, () => closeInStages(socket, linger))) return;
    const requestId = randomUUID();
    socket.write(written(refusal, common, requestId, now()));
    closeInStages(socket, linger);
    const { code } = refusal.error;
    const { status } = errorCatalogue[code];
    writeLine({ method: "", route: "", status, code, ms: 0, workspaceId: undefined, requestId });
  };
}

function written({ error, allow }: Refusal, common: Record<string, string>, requestId: string, at: Date): string {
  const body = JSON.stringify(errorResponse(error, requestId, at));
  const { status } = errorCatalogue[error.code];
  const headers = {
    ...common,
    ...(allow !== undefined && { allow }),
    "x-request-id": requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}

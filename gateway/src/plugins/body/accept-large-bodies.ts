import type { KeyedSemaphore } from "@canvass/fairness";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createTransferPace } from "../transfer-pace.ts";
import { markUploading } from "./uploads.ts";

/** Bodies at once. Each is held in memory while it arrives. */
export const largeBodyLimits = { perKey: 4, total: 64, reserved: 32, counted: "files" };

/** The same minimum speed as for readers. The largest body then takes 26 minutes. */
const bytesPerSecond = 8_192;
const looksPerIdleTime = 8;

/**
 * Lets the bodies of `scope` take longer than others to arrive, as long as bytes keep coming, and a workspace send a
 * few at a time (contract 1.6). Throws as `KeyedSemaphore.acquire`.
 */
export function acceptLargeBodies(scope: FastifyInstance, permits: KeyedSemaphore): void {
  scope.addHook("preParsing", async (request, reply) => {
    if (request.method === "GET" || request.method === "HEAD") return;
    // The sender left while its token was looked up. That event is not emitted again, so a permit would stay taken.
    if (reply.raw.destroyed) return;
    const permit = permits.acquire(request.identity!.caller.workspaceId);
    reply.raw.once("close", () => permit[Symbol.dispose]());
    watchSender(request, reply);
  });
}

/** Replaces Node's time limit for a request. Answers a sender that is too slow as Node's limit does. */
function watchSender({ raw, server: { server } }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = raw;
  const idleMs = server.requestTimeout;
  const uploading = markUploading(socket);
  const isTooSlow = createTransferPace({ idleMs, bytesPerSecond });
  const lookMs = idleMs / looksPerIdleTime;
  const before = socket.bytesRead;
  const end = () => {
    clearInterval(timer);
    uploading[Symbol.dispose]();
  };
  const look = () => {
    if (!isTooSlow(lookMs, socket.bytesRead - before)) return;
    end();
    const late = Object.assign(new Error("a body arrives too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    server.emit("clientError", late, socket);
  };
  const timer = setInterval(look, lookMs).unref();
  raw.once("end", end);
  reply.raw.once("close", end);
}

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";

/**
 * A hook before a handler. It throws to refuse. To pass, it calls `done`, which saves a turn of the event loop, or
 * returns a promise.
 */
export type Guard = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void | Promise<void>;

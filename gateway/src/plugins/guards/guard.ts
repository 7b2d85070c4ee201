import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";

/**
 * A hook before a handler. It throws to refuse; to let pass it calls `done`, which costs no turn of the event loop, or
 * returns a promise where it has to wait.
 */
export type Guard = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void | Promise<void>;

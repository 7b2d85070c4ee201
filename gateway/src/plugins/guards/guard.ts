import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";

/**
 * Refuses by an error: thrown, rejected, or given to `done`. To pass, calls `done` without one, which saves a turn of
 * the event loop, or resolves.
 */
export type Guard = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void | Promise<void>;

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";

/** Throws to refuse. To pass, calls `done`, which saves a turn of the event loop, or returns a promise. */
export type Guard = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void | Promise<void>;

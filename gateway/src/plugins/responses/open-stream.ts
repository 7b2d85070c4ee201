import { AppError } from "@canvass/errors";
import type { CallOptions } from "@connectrpc/connect";
import type { FastifyReply } from "fastify";
import { clientAddress } from "../../client-address/client-address.ts";
import type { GatewayContext } from "../../context.ts";
import { requestDeadlineMs, rpcOptions } from "../../clients/rpc-options.ts";
import { createAccessRecheck } from "../authentication/access-recheck.ts";
import { readerSignal } from "./reader-signal.ts";

/** A service's stream whose first chunk has arrived. Disposing ends the call. */
export interface OpenedStream<Chunk> extends Disposable {
  chunks: AsyncIterable<Chunk>;
  signal: AbortSignal;
}

/** Calls a streaming method and waits for its first chunk, so that an earlier failure gets its own status. */
export async function openStream<Chunk>(
  context: GatewayContext,
  reply: FastifyReply,
  open: (options: CallOptions) => AsyncIterable<Chunk>,
  ownerId?: string,
): Promise<OpenedStream<Chunk>> {
  const held = new DisposableStack();
  held.use(acquirePermit(context, reply, ownerId));
  const call = new AbortController();
  held.defer(() => call.abort());
  const left = readerSignal(reply);
  if (left.aborted) held.dispose();
  else left.addEventListener("abort", () => held.dispose(), { once: true });
  const { signal } = call;
  const iterator = open({ ...rpcOptions(context, reply.request), signal })[Symbol.asyncIterator]();
  const requireAccess = createAccessRecheck(context, reply.request);
  const next = () => {
    requireAccess();
    return nextWithin(iterator, requestDeadlineMs(context.config, reply.request));
  };
  try {
    return { chunks: startingWith(await next(), next), signal, [Symbol.dispose]: () => held.dispose() };
  } catch (error) {
    held.dispose();
    throw error;
  }
}

/** Without a token, limits the file's owner: one reader can have many addresses. Older services report no owner. */
function acquirePermit({ streams }: GatewayContext, { request }: FastifyReply, ownerId = ""): Disposable {
  return streams.acquire(request.identity?.caller.workspaceId ?? (ownerId || clientAddress(request)));
}

async function nextWithin<Chunk>(iterator: AsyncIterator<Chunk>, waitMs: number): Promise<IteratorResult<Chunk>> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new AppError("deadline_exceeded")), waitMs);
  try {
    return await Promise.race([iterator.next(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function* startingWith<Chunk>(
  first: IteratorResult<Chunk>,
  next: () => Promise<IteratorResult<Chunk>>,
): AsyncGenerator<Chunk> {
  for (let result = first; !result.done; result = await next()) yield result.value;
}

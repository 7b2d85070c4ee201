import { AppError } from "@canvass/errors";
import type { CallOptions } from "@connectrpc/connect";
import type { FastifyReply } from "fastify";
import { clientAddress } from "../client-address/client-address.ts";
import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { createAccessRecheck } from "../authentication/access-recheck.ts";
import { readerSignal } from "./reader-signal.ts";

/** A service's stream whose first chunk has arrived. Disposing ends the call. */
export interface OpenedStream<Piece> extends Disposable {
  pieces: AsyncIterable<Piece>;
  signal: AbortSignal;
}

/** Calls a streaming method and waits for its first chunk, so that an earlier failure gets its own status. */
export async function openStream<Piece>(
  context: GatewayContext,
  reply: FastifyReply,
  open: (options: CallOptions) => AsyncIterable<Piece>,
  ownerId?: string,
): Promise<OpenedStream<Piece>> {
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
    return nextWithin(iterator, context.config.CANVASS_REQUEST_TIMEOUT_MS);
  };
  try {
    return { pieces: startingWith(await next(), next), signal, [Symbol.dispose]: () => held.dispose() };
  } catch (error) {
    held.dispose();
    throw error;
  }
}

/** Without a token, limits the file's owner: one reader can have many addresses. Older services report no owner. */
function acquirePermit({ streams }: GatewayContext, { request }: FastifyReply, ownerId = ""): Disposable {
  return streams.acquire(request.identity?.caller.workspaceId ?? (ownerId || clientAddress(request)));
}

async function nextWithin<Piece>(iterator: AsyncIterator<Piece>, waitMs: number): Promise<IteratorResult<Piece>> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new AppError("deadline_exceeded")), waitMs);
  try {
    return await Promise.race([iterator.next(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function* startingWith<Piece>(
  first: IteratorResult<Piece>,
  next: () => Promise<IteratorResult<Piece>>,
): AsyncGenerator<Piece> {
  for (let result = first; !result.done; result = await next()) yield result.value;
}

import { create, fromBinary, toBinary, type DescMessage, type DescMethodClientStreaming } from "@bufbuild/protobuf";
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { AppError } from "@canvass/errors";
import type { StreamResponse } from "@connectrpc/connect";
import type { Client, ClientWritableStream, Metadata, ServiceError } from "@grpc/grpc-js";
import { once } from "node:events";

export interface UploadCall<I extends DescMessage, O extends DescMessage> {
  channel: Client;
  method: DescMethodClientStreaming<I, O>;
  metadata: Metadata;
  input: AsyncIterable<MessageInitShape<I>>;
  signal: AbortSignal | undefined;
  toAppError: (error: ServiceError) => AppError;
}

/** Sends requests as fast as the callee reads, without a deadline. Throws what the input throws, or AppError. */
export async function sendStream<I extends DescMessage, O extends DescMessage>({
  channel,
  method,
  metadata,
  input,
  signal,
  toAppError,
}: UploadCall<I, O>): Promise<StreamResponse<I, O>> {
  const answer = Promise.withResolvers<Buffer>();
  const call: ClientWritableStream<MessageShape<I>> = channel.makeClientStreamRequest(
    `/${method.parent.typeName}/${method.name}`,
    (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
    (bytes: Buffer) => bytes,
    metadata,
    (error: ServiceError | null, bytes?: Buffer) => {
      if (error) answer.reject(toAppError(error));
      else answer.resolve(bytes!);
    },
  );
  call.on("error", () => undefined);
  const abort = () => call.cancel();
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  try {
    await writeAll(call, method, input, answer.promise);
    const message = fromBinary(method.output, await answer.promise);
    return {
      stream: true,
      service: method.parent,
      method,
      header: new Headers(),
      trailer: new Headers(),
      message: only(message),
    };
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

async function writeAll<I extends DescMessage, O extends DescMessage>(
  call: ClientWritableStream<MessageShape<I>>,
  method: DescMethodClientStreaming<I, O>,
  input: AsyncIterable<MessageInitShape<I>>,
  answer: Promise<Buffer>,
): Promise<void> {
  const requests = input[Symbol.asyncIterator]();
  const answered = answer.then(
    () => over,
    () => over,
  );
  try {
    for (;;) {
      const next = await Promise.race([requests.next(), answered]);
      if (next.done) break;
      if (call.write(create(method.input, next.value))) continue;
      await Promise.race([once(call, "drain").catch(() => undefined), answered]);
    }
    call.end();
  } catch (error) {
    answer.catch(() => undefined);
    call.cancel();
    throw error;
  } finally {
    // Not awaited: the input may still be producing its next request.
    void Promise.resolve(requests.return?.()).catch(() => undefined);
  }
}

const over = { done: true, value: undefined } as const;

async function* only<T>(message: T): AsyncGenerator<T> {
  yield message;
}

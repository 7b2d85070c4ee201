import { create, fromBinary, toBinary, type DescMessage, type DescMethodServerStreaming } from "@bufbuild/protobuf";
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { createPacer } from "@canvass/telemetry";
import type { StreamResponse } from "@connectrpc/connect";
import type { Client, ClientReadableStream, Metadata, ServiceError } from "@grpc/grpc-js";

export interface StreamCall<I extends DescMessage, O extends DescMessage> {
  channel: Client;
  method: DescMethodServerStreaming<I, O>;
  metadata: Metadata;
  input: AsyncIterable<MessageInitShape<I>>;
  signal: AbortSignal | undefined;
  /** Milliseconds until the first message. After that the stream lasts as long as its reader takes. */
  firstWithinMs: number;
  toAppError: (error: ServiceError) => AppError;
}

/** Resolves with the first message. Every failure is an AppError, even while the stream is read. */
export async function openStream<I extends DescMessage, O extends DescMessage>(
  options: StreamCall<I, O>,
): Promise<StreamResponse<I, O>> {
  const { method, signal, firstWithinMs } = options;
  const call = begin(options, await onlyRequest(options));
  const abort = () => call.cancel();
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    call.cancel();
  }, firstWithinMs);
  // Created at once, so that the iterator sees an early error.
  const messages = read(options, call);
  try {
    const first = await messages.next();
    const message = first.done ? none<MessageShape<O>>() : followedBy(first.value, messages);
    return { stream: true, service: method.parent, method, header: new Headers(), trailer: new Headers(), message };
  } catch (error) {
    throw late ? new AppError("deadline_exceeded") : error;
  } finally {
    clearTimeout(timer);
  }
}

function begin<I extends DescMessage, O extends DescMessage>(
  { channel, method, metadata }: StreamCall<I, O>,
  request: MessageShape<I>,
): ClientReadableStream<Buffer> {
  return channel.makeServerStreamRequest(
    `/${method.parent.typeName}/${method.name}`,
    (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
    // grpc-js reads messages ahead of their reader. Decoding them here would decode them all in one turn.
    (bytes: Buffer) => bytes,
    request,
    metadata,
  );
}

async function onlyRequest<I extends DescMessage, O extends DescMessage>({ method, input }: StreamCall<I, O>) {
  for await (const request of input) return create(method.input, request);
  throw new Error(`${method.name} was called without a request`);
}

/** Spreads messages that arrived together over several turns of the event loop if they take long. */
async function* read<I extends DescMessage, O extends DescMessage>(
  { method, toAppError }: Pick<StreamCall<I, O>, "method" | "toAppError">,
  call: ClientReadableStream<Buffer>,
): AsyncGenerator<MessageShape<O>, undefined> {
  const pace = createPacer();
  try {
    for await (const bytes of call) {
      await pace();
      yield decode(method.output, bytes as Buffer);
    }
  } catch (error) {
    throw error instanceof AppError ? error : toAppError(error as ServiceError);
  } finally {
    // Cancels the call if the reader left early; no effect if the call has ended.
    call.cancel();
  }
}

function decode<O extends DescMessage>(output: O, bytes: Buffer): MessageShape<O> {
  try {
    return fromBinary(output, bytes);
  } catch (cause) {
    throw Object.assign(new AppError("internal_error"), { cause });
  }
}

async function* none<T>(): AsyncGenerator<T> {}

async function* followedBy<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

import { Code, ConnectError } from "@connectrpc/connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import type { Client, Metadata as GrpcMetadata, ServiceError } from "@grpc/grpc-js";
import { toConnectError } from "./call-failure.ts";
import { fromGrpc, toGrpc } from "./metadata.ts";
import { fitsTrunk, Refusal, TrunkBroken, type Trunk, type TrunkAnswer, type TrunkCall } from "./trunk/trunk.ts";
import type { Trunks } from "./trunk/trunks.ts";

export interface UnaryAsk extends TrunkCall {
  mayRepeat: boolean;
}

export interface Roads {
  connection: { readonly channel: Client };
  trunks?: Pick<Trunks, "next" | "tend"> | undefined;
}

/**
 * Uses a trunk, or the channel: for large messages, without a trunk, and for safe retries. Rejects with ConnectError.
 */
export async function callUnary({ connection, trunks }: Roads, ask: UnaryAsk): Promise<TrunkAnswer> {
  const trunk = fitsTrunk(ask.message, ask.header) ? trunks?.next() : undefined;
  if (!trunk) {
    const answer = await byChannel(connection.channel, ask);
    void trunks?.tend();
    return answer;
  }
  void trunks?.tend();
  const begun = performance.now();
  try {
    return await byTrunk(trunk, ask);
  } catch (error) {
    const timeoutMs = ask.timeoutMs - (performance.now() - begun);
    if (!(error instanceof TrunkBroken)) throw error;
    if (!ask.mayRepeat || timeoutMs <= 0) throw new ConnectError(error.message, Code.Unavailable);
    return byChannel(connection.channel, { ...ask, timeoutMs });
  }
}

async function byTrunk(trunk: Trunk, ask: UnaryAsk): Promise<TrunkAnswer> {
  try {
    return await trunk.call(ask);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw findTrailerError(new Headers(error.trailers)) ?? new ConnectError("no status", Code.Unknown);
  }
}

const same = (bytes: Buffer) => bytes;

function byChannel(channel: Client, { path, header, message, timeoutMs, signal }: UnaryAsk): Promise<TrunkAnswer> {
  return new Promise((resolve, reject) => {
    let received: GrpcMetadata | undefined;
    const call = channel.makeUnaryRequest(
      path,
      same,
      same,
      asBuffer(message),
      toGrpc(header),
      { deadline: Date.now() + timeoutMs },
      (error: ServiceError | null, answer) => {
        signal?.removeEventListener("abort", abort);
        if (error) reject(toConnectError(error));
        else resolve({ message: answer!, header: fromGrpc(received) });
      },
    );
    const abort = () => call.cancel();
    signal?.addEventListener("abort", abort);
    call.on("metadata", (metadata: GrpcMetadata) => (received = metadata));
  });
}

// A view of the same memory: grpc-js needs a Buffer, protobuf returns a plain Uint8Array.
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

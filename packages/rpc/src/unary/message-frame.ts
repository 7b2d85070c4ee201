import { Code, ConnectError } from "@connectrpc/connect";
import type { ServerHttp2Stream } from "node:http2";
import type { RequestBodies } from "../request-bodies.ts";

/** A flag byte and a length of four bytes (gRPC over HTTP/2, Length-Prefixed-Message). */
const prefixBytes = 5;

/** A frame of one message. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, prefixBytes);
  return frame;
}

/** Reads the only message of a request. Throws ConnectError, also when it is late. */
export async function readOnlyMessage(
  stream: ServerHttp2Stream,
  mostBytes: number,
  mostMs: number,
  bodies: RequestBodies,
): Promise<Uint8Array> {
  return onlyMessage(await readBody(stream, prefixBytes + mostBytes, mostMs, bodies));
}

// With listeners: an asynchronous iteration costs a lone call as much as everything else that is done here.
function readBody(
  stream: ServerHttp2Stream,
  mostBytes: number,
  mostMs: number,
  bodies: RequestBodies,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = bodies.begin();
    const pieces: Buffer[] = [];
    let received = 0;
    const refuse = (message: string, code: Code) => {
      clearTimeout(late);
      body.end();
      stream.removeAllListeners("data").resume();
      reject(new ConnectError(message, code));
    };
    const late = setTimeout(() => refuse("the message has not come in time", Code.DeadlineExceeded), mostMs);
    stream.once("close", () => refuse("the stream broke off", Code.Canceled));
    stream.on("data", (piece: Buffer) => {
      pieces.push(piece);
      received += piece.length;
      if (received > mostBytes) refuse("the message is too large", Code.ResourceExhausted);
      else if (!body.receive(piece.length)) refuse("too many messages are under way", Code.ResourceExhausted);
    });
    stream.on("end", () => {
      clearTimeout(late);
      body.end();
      resolve(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
    });
  });
}

function onlyMessage(body: Buffer): Uint8Array {
  if (body.length === 0) throw new ConnectError("protocol error: missing input message", Code.Unimplemented);
  if (body.length < prefixBytes) throw new ConnectError("protocol error: incomplete message", Code.InvalidArgument);
  if (body[0] !== 0) throw new ConnectError("messages are not compressed here", Code.Unimplemented);
  const end = prefixBytes + body.readUInt32BE(1);
  if (body.length < end) throw new ConnectError("protocol error: incomplete message", Code.InvalidArgument);
  if (body.length > end) throw new ConnectError("protocol error: extra input message", Code.Unimplemented);
  return body.subarray(prefixBytes, end);
}

/**
 * What a trunk carries: frames of calls and answers, each `length (4), call (4), kind (1), head length (2), head, body`. The
 * length counts what follows it; the head is JSON.
 */
export interface Frame {
  call: number;
  kind: FrameKind;
  head: CallHead | Metadata;
  body: Buffer;
}

export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

/** `answer` is the last piece of an answer, `piece` one before it. */
export const frameKinds = { call: 1, cancel: 2, piece: 3, answer: 4, failure: 5 } as const;

/** Text by name, as HTTP/2 carries it. */
export type Metadata = Readonly<Record<string, string>>;

/** The head of a call; the heads of answers are metadata, those of failures trailers. */
export interface CallHead {
  path: string;
  timeoutMs: number;
  header: Metadata;
}

/** The stream's path; its content is no gRPC, so that no other handler takes it. */
export const trunkPath = "/canvass.rpc.trunk";
export const trunkType = "application/x-canvass-trunk";

/** Of a message within a frame. A larger call takes a stream of its own, a larger answer several frames. */
export const pieceBytes = 64 * 1024;
/** A head is smaller than 64 KiB. */
const mostFrameBytes = 2 * pieceBytes;
const lengthBytes = 4;
const fixedBytes = 11;
const none: Metadata = {};
const nothing = Buffer.alloc(0);

export function frameOf(
  call: number,
  kind: FrameKind,
  head: Frame["head"] | undefined,
  body: Uint8Array = nothing,
): Buffer {
  const headText = head ? JSON.stringify(head) : "";
  const headBytes = headText === "" ? 0 : Buffer.byteLength(headText);
  const frame = Buffer.allocUnsafe(fixedBytes + headBytes + body.length);
  frame.writeUInt32BE(frame.length - lengthBytes, 0);
  frame.writeUInt32BE(call, 4);
  frame[8] = kind;
  frame.writeUInt16BE(headBytes, 9);
  if (headBytes > 0) frame.write(headText, fixedBytes);
  frame.set(body, fixedBytes + headBytes);
  return frame;
}

/** Returns a function that takes bytes as they arrive and passes on whole frames. It throws at what is no frame. */
export function frameReader(take: (frame: Frame) => void): (bytes: Buffer) => void {
  let rest: Buffer = nothing;
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let at = 0;
    while (rest.length - at >= lengthBytes) {
      const end = at + lengthBytes + rest.readUInt32BE(at);
      if (end - at > mostFrameBytes || end - at < fixedBytes) throw new Error("no frame has that length");
      if (rest.length < end) break;
      take(parsed(rest.subarray(at, end)));
      at = end;
    }
    rest = rest.subarray(at);
  };
}

function parsed(frame: Buffer): Frame {
  const bodyAt = fixedBytes + frame.readUInt16BE(9);
  if (bodyAt > frame.length) throw new Error("the frame's head is longer than the frame");
  const head = bodyAt === fixedBytes ? none : (JSON.parse(frame.toString("utf8", fixedBytes, bodyAt)) as Frame["head"]);
  return { call: frame.readUInt32BE(4), kind: frame[8] as FrameKind, head, body: frame.subarray(bodyAt) };
}

/** A Length-Prefixed-Message of gRPC over HTTP/2: a flag byte, a length of four bytes, the message. */
export function frameOf(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

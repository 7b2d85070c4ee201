export function createByteWriter() {
  let buffer = Buffer.alloc(64 * 1024);
  let end = 0;
  const room = (bytes: number): number => {
    if (end + bytes > buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(Math.max(bytes, buffer.length))]);
    const at = end;
    end += bytes;
    return at;
  };
  return {
    byte: (value: number) => void (buffer[room(1)] = value),
    int32(...values: number[]) {
      for (const value of values) {
        const at = room(4);
        buffer.writeInt32LE(value, at);
      }
    },
    int64(value: number) {
      const at = room(8);
      buffer.writeBigInt64LE(BigInt(value), at);
    },
    float64(value: number) {
      const at = room(8);
      buffer.writeDoubleLE(value, at);
    },
    bytes(value: Uint8Array) {
      const at = room(value.length);
      buffer.set(value, at);
    },
    /** Cuts the text, or pads it with blanks, to `length` bytes. */
    text(value: string | Uint8Array, length: number) {
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      const at = room(length);
      buffer.fill(0x20, at, at + length);
      buffer.set(bytes.subarray(0, length), at);
    },
    take(): Uint8Array {
      const taken = Buffer.from(buffer.subarray(0, end));
      end = 0;
      return taken;
    },
  };
}

export type ByteWriter = ReturnType<typeof createByteWriter>;

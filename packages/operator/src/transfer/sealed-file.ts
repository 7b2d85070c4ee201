import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { sizeDelimitedDecodeStream, sizeDelimitedEncode } from "@bufbuild/protobuf/wire";
import { TransferRecordSchema, type TransferRecord } from "@canvass/proto/transfer";
import { OperationalError, placeFile, reasonOf } from "@canvass/provisioning";
import { Decrypter, Encrypter } from "age-encryption";
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";

export type Records = AsyncIterable<MessageInitShape<typeof TransferRecordSchema>>;

/**
 * Writes compressed records, encrypted for an age recipient, completely or not at all. Unless `replace`, it is refused
 * if there is a file.
 */
export async function writeSealedFile(
  path: string,
  recipient: string,
  records: Records,
  { replace = false }: { replace?: boolean } = {},
): Promise<void> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  // A random name, so that two exports to the same path do not write to one file.
  const incoming = `${path}.${randomBytes(4).toString("hex")}.incoming`;
  const file = createWriteStream(incoming, { mode: 0o600, flags: "wx", flush: true });
  let unwritable: unknown;
  file.once("error", (error) => (unwritable = error));
  try {
    const packed = Readable.from(framed(records)).compose(createGzip({ level: 1 }));
    // If the file cannot be written, this stream emits the error as well; `pipeline` throws it.
    packed.on("error", () => {});
    const sealed = await encrypter.encrypt(Readable.toWeb(packed) as ReadableStream<Uint8Array>);
    await pipeline(Readable.fromWeb(sealed as WebStream<Uint8Array>), file);
    await placeFile(incoming, path, { replace }).catch((error: unknown) => {
      throw (unwritable = error);
    });
  } catch (error) {
    if (unwritable === undefined || error instanceof OperationalError) throw error;
    throw new OperationalError(`${path} cannot be written: ${reasonOf(unwritable)}.`, { cause: error });
  } finally {
    await rm(incoming, { force: true });
  }
}

async function* framed(records: Records): AsyncGenerator<Uint8Array> {
  for await (const record of records) {
    yield sizeDelimitedEncode(TransferRecordSchema, create(TransferRecordSchema, record));
  }
}

/** Decrypts with the recipient's identity. Throws OperationalError for an unreadable or incomplete file. */
export async function* readSealedFile(path: string, identity: string): AsyncGenerator<TransferRecord> {
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
    const sealed = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    const packed = Readable.fromWeb((await decrypter.decrypt(sealed)) as WebStream<Uint8Array>);
    yield* sizeDelimitedDecodeStream(TransferRecordSchema, packed.compose(createGunzip()) as AsyncIterable<Uint8Array>);
  } catch (error) {
    throw new OperationalError(`${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

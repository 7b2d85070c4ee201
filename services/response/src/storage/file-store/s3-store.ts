import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, S3Client, NoSuchKey } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { Readable } from "node:stream";
import { FileNotFound, requireKey, storeUnavailable, type FileStore } from "./file-store.ts";
import type { S3Settings } from "./file-store-settings.ts";
import { markSource } from "./mark-source.ts";

const mebi = 1024 * 1024;
/** S3 accepts up to 10,000 parts: 80 GB. */
const partSize = 8 * mebi;

/** Without it, the client waits for ever for a server that hangs. Longer than a slow download leaves its socket idle. */
const usualSocketTimeoutMs = 300_000;

export function createS3Store(
  { bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Settings,
  socketTimeoutMs = usualSocketTimeoutMs,
): FileStore {
  const client = new S3Client({
    region,
    // Other servers seldom have a host name per bucket, and do not support the newer checksums.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    requestHandler: { socketTimeout: socketTimeoutMs },
  });

  return {
    async write(key, chunks, signal) {
      requireKey(key);
      const source = markSource(chunks);
      let bytes = 0;
      const counted = async function* () {
        for await (const chunk of source.chunks) {
          signal?.throwIfAborted();
          bytes += chunk.length;
          yield chunk;
        }
      };
      const upload = new Upload({
        client,
        params: { Bucket: bucket, Key: key, Body: Readable.from(counted(), { objectMode: false }) },
        partSize,
        queueSize: 1,
      });
      const abort = () => void upload.abort();
      signal?.addEventListener("abort", abort, { once: true });
      try {
        await upload.done();
        return bytes;
      } catch (error) {
        signal?.throwIfAborted();
        source.rethrow();
        throw storeUnavailable(error);
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },
    async *read(key, range) {
      requireKey(key);
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range }));
        yield* Body as Readable as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw error instanceof NoSuchKey ? new FileNotFound() : storeUnavailable(error);
      }
    },
    async deleteFolder(folder) {
      requireKey(folder);
      try {
        for (;;) {
          const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: `${folder}/` });
          const { Contents: found = [] } = await client.send(list);
          if (found.length === 0) return;
          // One by one, because not every server supports deleting several with one call.
          for (const { Key } of found) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
        }
      } catch (error) {
        throw storeUnavailable(error);
      }
    },
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}

// oxlint-disable-next-line typescript/triple-slash-reference -- it declares a module, so nobody imports it
/// <reference path="./s3rver.d.ts" />
import S3rver from "@20minutes/s3rver";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts an S3 server with an empty bucket. Its objects are in their own folder. */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), "canvass-s3-"));
  // s3rver drops the slash after a bucket's name when it checks signatures.
  const signatures = { allowMismatchedSignatures: true };
  const bucket = "b";
  const place = { port: 0, address: "127.0.0.1", directory, configureBuckets: [{ name: bucket }] };
  const server = new S3rver({ ...place, ...signatures, silent: true });
  const { port } = await server.run();
  let closing: Promise<unknown> | undefined;
  const close = () => (closing ??= server.close());
  return {
    bucket,
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    /** The folder of the objects. */
    directory,
    /** Makes the storage unavailable. */
    close,
    async [Symbol.asyncDispose](): Promise<void> {
      await close();
      await rm(directory, { recursive: true });
    },
  };
}

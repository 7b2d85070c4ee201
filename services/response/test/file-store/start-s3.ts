// oxlint-disable-next-line typescript/triple-slash-reference -- it declares a module, so nobody imports it
/// <reference path="./s3rver.d.ts" />
import S3rver from "@20minutes/s3rver";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server of the S3 protocol with an empty bucket, whose objects lie in a folder of its own. */
export async function startS3() {
  const directory = await mkdtemp(join(tmpdir(), "canvass-s3-"));
  // Its check of signatures drops the slash behind a bucket's name.
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
    /** Where its objects lie. */
    directory,
    /** Takes the storage away. */
    close,
    async [Symbol.asyncDispose](): Promise<void> {
      await close();
      await rm(directory, { recursive: true });
    },
  };
}

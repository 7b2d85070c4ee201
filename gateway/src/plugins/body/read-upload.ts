import { AppError } from "@canvass/errors";
import { refuseViolations, shapeViolations, validationFailed, type Violation } from "@canvass/inputs";
import { Busboy, type BusboyFileStream, type BusboyHeaders } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import type { TObject } from "typebox";

export interface Upload extends Disposable {
  fields: Readonly<Record<string, string>>;
  name: string;
  /** The chunks of the file. They end with the body, and throw violations of parts after the file. */
  chunks: AsyncIterable<Uint8Array>;
}

const limits = {
  fields: 10,
  fieldNameSize: 100,
  fieldSize: 1_000,
  files: 1,
  parts: 12,
  headerPairs: 20,
  headerSize: 8_192,
};
const longestName = 1_000;

/** Reads a `multipart/form-data` body (RFC 7578) up to its file, the last part. Disposing discards the rest. */
export async function readUpload({ raw, headers }: FastifyRequest, schema: TObject): Promise<Upload> {
  const parser = parserOf(headers as BusboyHeaders);
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const violations: Violation[] = [];
  const opened = Promise.withResolvers<OpenFile | undefined>();
  const finished = Promise.withResolvers<void>();
  // `opened` reports the error. If nothing awaits `finished`, its rejection must be handled here.
  finished.promise.catch(() => undefined);
  let file: BusboyFileStream | undefined;
  const fail = (error: AppError): void => {
    opened.reject(error);
    finished.reject(error);
    file?.destroy(error);
  };
  const failTruncated = () => fail(malformed("ends before its last part does"));

  parser.on("field", (name, value, nameTruncated, valueTruncated) => {
    if (file) violations.push({ path: name, message: "must come before the file" });
    else if (Object.hasOwn(fields, name)) violations.push({ path: name, message: "is given twice" });
    else if (nameTruncated || valueTruncated) violations.push({ path: name, message: "is too long" });
    else fields[name] = value.toWellFormed();
  });
  parser.on("file", (field, stream, name) => {
    // `chunksOf` throws the error with which this rejects `finished`.
    stream.on("error", failTruncated);
    file = stream;
    opened.resolve({ field, stream, name: (name ?? "").toWellFormed().slice(0, longestName) });
  });
  parser.on("filesLimit", () => violations.push({ path: "file", message: "must be one" }));
  for (const limit of ["fieldsLimit", "partsLimit"] as const)
    parser.on(limit, () => fail(malformed("has too many parts")));
  parser.on("error", failTruncated);
  parser.on("finish", () => {
    opened.resolve(undefined);
    finished.resolve();
  });
  raw.once("close", () => {
    if (!raw.complete) failTruncated();
  });
  raw.pipe(parser);

  const dispose = () => {
    raw.unpipe(parser);
    raw.resume();
  };
  try {
    const open = await opened.promise;
    const given = { ...fields, ...(open && { [open.field]: "" }) };
    refuseViolations([...violations, ...shapeViolations(schema, given)]);
    return {
      fields,
      name: open!.name,
      chunks: chunksOf(open!.stream, finished.promise, violations),
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

interface OpenFile {
  field: string;
  stream: BusboyFileStream;
  name: string;
}

async function* chunksOf(
  stream: BusboyFileStream,
  finished: Promise<void>,
  violations: readonly Violation[],
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    await finished;
    throw error;
  }
  await finished;
  if (violations.length > 0) throw validationFailed(violations);
}

function parserOf(headers: BusboyHeaders) {
  try {
    return new Busboy({ headers, limits });
  } catch {
    throw malformed("is not multipart/form-data with a boundary");
  }
}

const malformed = (what: string) => new AppError("invalid_request", { body: [what] });

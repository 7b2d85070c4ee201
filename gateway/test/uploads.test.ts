import { AppError } from "@canvass/errors";
import type { FileUpload, UploadFileRequest } from "@canvass/proto/files";
import { connect } from "node:net";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { read, startEdge, type Edge } from "./start-edge.ts";

const elementId = "01h8x3k9q2w7d1ej";
const respondentId = "01h8x4v2c6n8b5tq";
const code = "Ab3dEf6hIj9kLm2nOp5qRs";

/** What the service was told of each upload, and how it ended. */
let uploads: { told: FileUpload; bytes: number; ended: "whole" | "cut" }[] = [];
let refuse: AppError | undefined;
/** Uploads that have begun, and bytes that came of them. */
let seen = 0;
let cameBytes = 0;

async function uploadFile(requests: AsyncIterable<UploadFileRequest>) {
  let told: FileUpload | undefined;
  let bytes = 0;
  let isWhole = false;
  try {
    for await (const { part } of requests) {
      if (part.case === "upload") {
        told = part.value;
        seen += 1;
      }
      if (part.case === "piece") {
        bytes += part.value.length;
        cameBytes += part.value.length;
      }
      if (part.case === "whole") isWhole = true;
      if (refuse) throw refuse;
    }
  } catch (error) {
    if (error !== refuse) uploads.push({ told: told!, bytes, ended: "cut" });
    throw error;
  }
  uploads.push({ told: told!, bytes, ended: isWhole ? "whole" : "cut" });
  return { fileId: "01h8x4v2c6n8b5tr", name: told!.name, sizeBytes: BigInt(bytes), mimeType: "image/png" };
}

const edge = await sharedByFile(startEdge({ files: { uploadFile } }));
beforeEach(() => {
  uploads = [];
  seen = 0;
  cameBytes = 0;
  refuse = undefined;
});

type Part = [name: string, value: string | Blob, fileName?: string];

function form(...parts: Part[]): FormData {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === "string") data.append(name, value);
    else data.append(name, value, fileName);
  }
  return data;
}

const fields: Part[] = [
  ["surveyId", surveyId],
  ["elementId", elementId],
];
/** Returns the response to a body that never ends. */
async function otherBody(at: Edge): Promise<string> {
  const socket = connect(Number(new URL(at.url).port), "127.0.0.1");
  const { value } = at.services.issueToken(["full_access"]);
  const told = Promise.withResolvers<string>();
  socket.setEncoding("latin1").on("error", told.reject).once("data", told.resolve);
  socket.write(
    `POST /api/v1/surveys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${value}\r\nContent-Length: 9\r\n` +
      `Content-Type: application/json\r\n\r\n{`,
  );
  return told.promise.finally(() => socket.destroy());
}

const blob = (bytes: number) => new Blob([new Uint8Array(bytes)]);
const send = (body: FormData | string, headers = {}) => edge.call("/files", { method: "POST", body, headers });

describe("an upload", () => {
  test("passes on as it comes, with its fields and its name", async () => {
    const { status, body } = await send(
      form(...fields, ["respondentId", respondentId], ["file", blob(300_000), "ü.png"]),
    );
    expect(status).toBe(201);
    expect(body.data).toEqual({ fileId: "01h8x4v2c6n8b5tr", name: "ü.png", size: 300_000, mimeType: "image/png" });
    expect(uploads).toMatchObject([{ told: { surveyId, elementId, respondentId, name: "ü.png" }, bytes: 300_000 }]);
    expect(uploads[0]!.told.mostBytes).toBeGreaterThan(300_000n);
  });

  test("an operation of a respondent needs its session and no scope", async () => {
    const path = `${edge.url}/public/v1/links/${code}/respondents/${respondentId}/files`;
    const body = form(["elementId", elementId], ["file", blob(10), "a.png"]);
    expect((await fetch(path, { method: "POST", body })).status).toBe(401);
    const headers = { "x-respondent-token": "workspace0000000.secret" };
    expect((await read(await fetch(path, { method: "POST", body, headers }))).status).toBe(201);
    expect(uploads[0]!.told).toMatchObject({
      by: { case: "session", value: { code, sessionToken: "workspace0000000.secret" } },
      respondentId,
      elementId,
    });
  });

  test("gets its refusal although its body still arrives, and the next request is served", async () => {
    refuse = new AppError("file_too_large", { max_bytes: 5 });
    const { status, body } = await send(form(...fields, ["file", blob(5_000_000), "a.png"]));
    expect([status, body.error.code, body.error.details]).toEqual([413, "file_too_large", { max_bytes: 5 }]);
    refuse = undefined;
    expect((await send(form(...fields, ["file", blob(5), "a.png"]))).status).toBe(201);
  });

  test("may take longer than other bodies", async () => {
    const times = { headersMs: 1_500, requestMs: 1_500, unresponsiveMs: 60_000, lingerMs: 10_000, checkMs: 50 };
    await using hasty = await startEdge({ files: { uploadFile } }, { connectionTimes: times });
    const boundary = "b";
    const head = [...fields, ["file", ""]].map(([name, value]) =>
      name === "file"
        ? `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
        : `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value as string}\r\n`,
    );
    async function* slowly() {
      yield Buffer.from(`${head.join("")}abc`);
      await expect.poll(() => cameBytes).toBe(3);
      // A body that began later is refused as too slow, so this one would be, too.
      expect(await otherBody(hasty)).toMatch(/^HTTP\/1.1 408 /u);
      yield Buffer.from(`def\r\n--${boundary}--\r\n`);
    }
    const { status } = await hasty.call("/files", {
      method: "POST",
      body: ReadableStream.from(slowly()) as never,
      duplex: "half",
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    } as never);
    expect(status).toBe(201);
    expect(uploads).toMatchObject([{ bytes: 6, ended: "whole" }]);
  });

  test("that is cut in the middle ends as cut at its service", async () => {
    const { value } = edge.services.issueToken(["full_access"]);
    const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      `POST /api/v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${value}\r\nContent-Length: 100000\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\n\r\n` +
        fields
          .map(([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text as string}\r\n`)
          .join("") +
        `--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n${"x".repeat(70_000)}`,
    );
    await expect.poll(() => cameBytes).toBeGreaterThan(0);
    socket.destroy();
    await expect.poll(() => uploads.map(({ ended }) => ended)).toEqual(["cut"]);
  });
});

describe("slow uploads by links", () => {
  const begun = (count: number) => expect.poll(() => seen).toBe(count);
  const begin = (respondent: number, localAddress: string, link = code) => {
    const id = `01h8x4v2c6n8b5${String(respondent).padStart(2, "0")}`;
    const socket = connect({ port: Number(new URL(edge.url).port), host: "127.0.0.1", localAddress });
    socket.on("error", () => undefined).setEncoding("latin1");
    const told = Promise.withResolvers<string>();
    socket.once("data", told.resolve);
    socket.write(
      `POST /public/v1/links/${link}/respondents/${id}/files HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n` +
        `X-Respondent-Token: workspace0000000.s${respondent}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n` +
        `--b\r\nContent-Disposition: form-data; name="elementId"\r\n\r\n${elementId}\r\n` +
        `--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n${"x".repeat(1_000)}`,
    );
    return { told: told.promise, [Symbol.dispose]: () => void socket.destroy() };
  };
  const other = code.toLowerCase();

  test("leave places to other client addresses and links, and to tokens", async () => {
    using held = new DisposableStack();
    const refused = async (respondent: number, localAddress: string, link = code) => {
      const told = await held.use(begin(respondent, localAddress, link)).told;
      expect(told).toMatch(/^HTTP\/1.1 429 /u);
      expect(told.toLowerCase()).toContain("\r\nretry-after: 1\r\n");
    };
    for (let respondent = 0; respondent < 6; respondent += 1) held.use(begin(respondent, "127.0.0.1"));
    await begun(6);
    await refused(6, "127.0.0.1", other);
    for (const respondent of [7, 8]) held.use(begin(respondent, "127.0.0.2"));
    await begun(8);
    await refused(9, "127.0.0.3");
    for (const respondent of [10, 11, 12, 13]) held.use(begin(respondent, "127.0.0.3", other));
    await begun(12);
    await refused(14, "127.0.0.4", `${other}2`);
    expect((await send(form(...fields, ["file", blob(5), "a.png"]))).status).toBe(201);
  });
});

describe("refused are", () => {
  const raw = (body: string, type = "multipart/form-data; boundary=b") => send(body, { "content-type": type });
  const part = (name: string, value: string, more = "") =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const given = part("surveyId", surveyId) + part("elementId", elementId);
  const file = part("file", "abc", '; filename="a.txt"');

  test.each<
    [
      string,
      () => Promise<{ status: number; body: { error: { code: string; details: object } } }>,
      number,
      string,
      object?,
    ]
  >([
    ["JSON", () => raw("{}", "application/json"), 415, "unsupported_media_type"],
    ["a form without boundary", () => raw(given, "multipart/form-data"), 400, "invalid_request"],
    ["a body that ends early", () => raw(given + file), 400, "invalid_request"],
    ["a body that is no form", () => raw("hello"), 400, "invalid_request"],
    ["no file", () => send(form(...fields)), 422, "validation_failed", { file: [expect.any(String)] }],
    [
      "no field and an unknown one",
      () => send(form(["more", "1"], ["file", blob(1), "a.png"])),
      422,
      "validation_failed",
      { surveyId: [expect.any(String)], elementId: [expect.any(String)], more: [expect.any(String)] },
    ],
    [
      "fields behind the file",
      () => send(form(...fields, ["file", blob(1), "a.png"], ["respondentId", respondentId])),
      422,
      "validation_failed",
      { respondentId: ["must come before the file"] },
    ],
    [
      "two files",
      () => send(form(...fields, ["file", blob(1), "a.png"], ["file", blob(1), "b.png"])),
      422,
      "validation_failed",
      { file: ["must be one"] },
    ],
    [
      "a field that is given twice",
      () => raw(`${given}${part("surveyId", surveyId)}${file}--b--\r\n`),
      422,
      "validation_failed",
      { surveyId: ["is given twice"] },
    ],
    ["a name of a prototype", () => raw(`${given}${part("__proto__", "1")}${file}--b--\r\n`), 422, "validation_failed"],
    ["many parts", () => raw(`${given}${part("x", "1").repeat(50)}${file}--b--\r\n`), 400, "invalid_request"],
    ["a parameter", () => edge.call("/files?x=1", { method: "POST", body: form(...fields) }), 422, "validation_failed"],
  ])("%s", async (_name, call, status, error, details) => {
    const answer = await call();
    expect([answer.status, answer.body.error.code]).toEqual([status, error]);
    if (details) expect(answer.body.error.details).toEqual(details);
    expect(uploads.filter(({ ended }) => ended === "whole")).toEqual([]);
  });

  test("a compressed body", async () => {
    const { status } = await send(form(...fields, ["file", blob(1), "a.png"]), { "content-encoding": "gzip" });
    expect(status).toBe(415);
  });

  test("not file names with folders and header lines, which arrive as text", async () => {
    const name = '..\\..\\"x"%0d%0aSet-Cookie: a=b.png';
    expect((await send(form(...fields, ["file", blob(1), name]))).status).toBe(201);
    expect(uploads[0]!.told.name).toContain("png");
  });
});

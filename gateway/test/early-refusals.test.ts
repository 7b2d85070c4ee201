import { AppError } from "@canvass/errors";
import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let token: string;
let created = 0;
beforeAll(async () => {
  edge = await startEdge(
    {
      survey: {
        createSurvey: async () => {
          created += 1;
          throw new Error("no survey is created here");
        },
      },
      beforeAuthentication: async () => {
        if (tokenServiceFails) throw new AppError("service_unavailable");
      },
    },
    { config: { CANVASS_RATE_LIMIT_SUBMISSIONS: 1 } },
  );
  token = edge.services.issueToken(["full_access"]).value;
  await edge.call(submissions, { method: "POST", token });
});
afterAll(() => edge[Symbol.asyncDispose]());

let tokenServiceFails = false;
const surveys = "/surveys";
const submissions = `/response/surveys/${"0".repeat(16)}`;
const json = { "content-type": "application/json" };
/** More than the buffers of a connection hold, so that a sender waits for its reader. */
const body = Buffer.alloc(12 * 2 ** 20, " ");

const cases: [status: number, path: string, headers: () => Record<string, string>][] = [
  [413, surveys, () => ({ ...json, authorization: `Bearer ${token}` })],
  [415, surveys, () => ({ "content-type": "text/plain", authorization: `Bearer ${token}` })],
  [401, surveys, () => json],
  [404, "/nothing", () => json],
  [405, "/errors", () => json],
  [429, submissions, () => ({ ...json, authorization: `Bearer ${token}` })],
  [503, surveys, () => ({ ...json, authorization: `Bearer ${edge.services.issueToken(["full_access"]).value}` })],
];

interface Upload {
  path: string;
  headers: Record<string, string>;
  inChunks: boolean;
}

/** Sends everything before it reads, as Python's clients do. */
async function whoReadsLast({ path, headers, inChunks }: Upload): Promise<number> {
  const socket = open();
  socket.pause();
  const framing = inChunks ? "transfer-encoding: chunked" : `content-length: ${body.length}`;
  const lines = Object.entries({ host: "x", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/v1${path} HTTP/1.1\r\n${lines.join("")}${framing}\r\n\r\n`);
  if (inChunks) socket.write(`${body.length.toString(16)}\r\n`);
  const sent = Promise.withResolvers<void>();
  socket.on("error", sent.reject);
  socket.write(body);
  socket.write(inChunks ? "\r\n0\r\n\r\n" : "", () => sent.resolve());
  await sent.promise;
  let received = "";
  for (socket.resume(); !received.includes("}}");) received += String((await once(socket, "data"))[0]);
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]);
}

async function nodeClient({ path, headers, inChunks }: Upload): Promise<number> {
  const length = inChunks ? {} : { "content-length": body.length };
  const sending = request(edge.baseUrl + path, { method: "POST", headers: { ...headers, ...length } });
  const answered = once(sending, "response");
  // After the response a slow sender may be cut off.
  sending.on("error", () => undefined);
  sending.end(body);
  const [response] = await answered;
  await text(response);
  return response.statusCode;
}

/** Node's `fetch` is undici. */
async function fetchClient({ path, headers, inChunks }: Upload): Promise<number> {
  const given = inChunks ? { body: Readable.toWeb(Readable.from(chunks())), duplex: "half" } : { body };
  const response = await fetch(edge.baseUrl + path, { method: "POST", headers, ...given } as RequestInit);
  await response.text();
  return response.status;
}

function* chunks(): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}

function open(): Socket {
  return connect({ port: Number(new URL(edge.url).port), host: "127.0.0.1", allowHalfOpen: true });
}

describe.each<[client: string, send: (upload: Upload) => Promise<number>]>([
  ["who reads last", whoReadsLast],
  ["node:http", nodeClient],
  ["fetch", fetchClient],
])("a sender of 12 MiB gets its refusal, in one piece and in chunks: %s", (_client, send) => {
  afterEach(() => void (tokenServiceFails = false));

  test.each(cases)("%i", async (status, path, headers) => {
    tokenServiceFails = status === 503;
    const uploads = [false, true].map((inChunks) => send({ path, headers: headers(), inChunks }));
    expect(await Promise.all(uploads)).toEqual(uploads.map(() => status));
  });
});

test("a body of any length is read no further than 16 MiB behind its refusal", async () => {
  const socket = open().on("error", () => undefined);
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.resume();
  socket.write(`POST /api/v1/surveys HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`);
  const more = () => {
    while (!socket.destroyed && socket.write(`100000\r\n${" ".repeat(2 ** 20)}\r\n`));
  };
  socket.on("drain", more);
  more();
  await closed;
  // What the buffers of the connection hold was sent, but not read.
  expect(socket.bytesWritten).toBeLessThan(48 * 2 ** 20);
});

test("a request that is refused for its framing is read to its end, too", async () => {
  const headers = { ...json, host: "a,b" };
  for (const inChunks of [false, true]) expect(await whoReadsLast({ path: surveys, headers, inChunks })).toBe(400);
});

test("bytes behind a last answer are not served as a request", async () => {
  const socket = open();
  let received = "";
  socket.on("data", (bytes) => (received += String(bytes)));
  const ended = once(socket, "end");
  const head = `host: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
  socket.write(`POST /api/v1/surveys HTTP/1.1\r\n${head}transfer-encoding: chunked\r\n\r\n`);
  socket.write(`100001\r\n${" ".repeat(2 ** 20 + 1)}\r\n`);
  await ended;
  socket.end(`0\r\n\r\nPOST /api/v1/surveys HTTP/1.1\r\n${head}content-length: 12\r\n\r\n{"name":"a"}`);
  await once(socket, "close");
  expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 413"]);
  expect(created).toBe(0);
});

import { createServer } from "node:https";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { testCertificates, type TestCertificates } from "./test-certificates.ts";

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Server name of the TLS handshake (SNI); false without one. */
  servername: string | false;
  body: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** The receiver's response. A status alone has no body. */
export type ReceiverResponse =
  | number
  | { status: number; headers?: Record<string, string>; body?: string | Uint8Array; delayMs?: number }
  | "hang"
  | "close"
  /** Sends 200, then a byte every 50 ms without end. */
  | "drip"
  | "flood"
  | "gibberish";

export type AnswerRequest = (request: ReceivedRequest) => ReceiverResponse | Promise<ReceiverResponse>;

export interface TestReceiverOptions {
  /** 0: any free port. */
  port?: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Names and addresses in its certificate. Default: localhost, 127.0.0.1, ::1. */
  names?: readonly string[];
  /** Default: 200. */
  answer?: AnswerRequest | ReceiverResponse;
  /** Whether to collect requests in `requests`. Default true. */
  record?: boolean;
}

export interface TestReceiver extends AsyncDisposable {
  /** `https://127.0.0.1:<port>`, without a path. */
  url: string;
  port: number;
  /** The authority that signed its certificate, PEM. */
  ca: string;
  /** Its own certificate files, which another server of the same names may use, too. */
  certificates: TestCertificates;
  requests: ReceivedRequest[];
  /** TCP connections opened so far. */
  readonly connections: number;
  /** For later requests. */
  answer(answer: AnswerRequest | ReceiverResponse): void;
}

/** An HTTPS server on loopback for webhooks, with its own certificate authority. */
export async function testReceiver(options: TestReceiverOptions = {}): Promise<TestReceiver> {
  const { host = "127.0.0.1", names = ["localhost", "127.0.0.1", "::1"], record = true } = options;
  const certificates = await testCertificates(names);
  const { ca, key, cert } = certificates;
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let respond = toFunction(options.answer ?? 200);

  const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received: ReceivedRequest = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        servername: (request.socket as TLSSocket).servername ?? false,
        body: Buffer.concat(chunks).toString("utf8"),
        receivedAt: Date.now(),
      };
      if (record) requests.push(received);
      void write(response, received, respond);
    });
  });
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    ca,
    certificates,
    requests,
    get connections() {
      return connections;
    },
    answer: (answer) => {
      respond = toFunction(answer);
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function toFunction(answer: AnswerRequest | ReceiverResponse): AnswerRequest {
  return typeof answer === "function" ? answer : () => answer;
}

async function write(response: ServerResponse, request: ReceivedRequest, respond: AnswerRequest): Promise<void> {
  const answer = await respond(request);
  if (answer === "hang") return;
  if (answer === "close") return void response.socket?.destroy();
  if (answer === "gibberish") return void response.socket?.end("220 mail.example ESMTP\r\n");
  if (answer === "drip") return drip(response);
  if (answer === "flood") return flood(response);
  const { status, headers = {}, body = "", delayMs = 0 } = typeof answer === "number" ? { status: answer } : answer;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  response.writeHead(status, headers).end(body);
}

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write("."), 50);
  response.on("close", () => clearInterval(timer));
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200).on("drain", more);
  more();
}

import { connectionFailures } from "@canvass/inputs";
import { authority, signedBy } from "@canvass/testing/certificates";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { expect, test } from "vitest";
import { createWebhookSender, type FailureReason, type SendResult, type WebhookSenderOptions } from "../src/index.ts";

const names = ["hooks.example"];
const trusted = await authority();
const untrusted = await authority({ name: "An authority of its own" });

interface Listening extends AsyncDisposable {
  port: number;
}

async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    socket.on("error", () => undefined);
    sockets.add(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Responds 200 once the TLS handshake succeeds. */
async function tlsServer(changes: TlsOptions = {}, answer = "HTTP/1.1 200 OK\r\n\r\n"): Promise<Server> {
  const options = { ...(await signedBy(trusted, { names })), ...changes };
  return createTlsServer(options, (socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  });
}

async function send({ port }: Listening, options: WebhookSenderOptions = {}): Promise<SendResult> {
  await using sender = createWebhookSender({
    allowedCidrs: ["127.0.0.0/8"],
    extraCa: trusted.cert,
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
  return await sender.send({
    url: `https://hooks.example:${port}/`,
    webhookId: "e",
    timestamp: 1,
    body: "{}",
    secrets: [],
  });
}

const faultyServers: Record<
  Exclude<FailureReason, "dns_failed" | "refused" | "connect_timeout">,
  () => Promise<Server>
> = {
  reset: async () => createServer((socket) => socket.resetAndDestroy()),
  tls_untrusted: async () => {
    const { key, cert } = await signedBy(untrusted, { names });
    return tlsServer({ key, cert: `${cert}\n${untrusted.cert}` });
  },
  tls_incomplete_chain: async () => {
    const intermediate = await authority({ name: "Between the two", ca: trusted });
    return tlsServer(await signedBy(intermediate, { names }));
  },
  tls_expired: async () => tlsServer(await signedBy(trusted, { names, ends: new Date(Date.now() - 60_000) })),
  tls_name_mismatch: async () => tlsServer(await signedBy(trusted, { names: ["other.example"] })),
  tls_protocol: async () => createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
  client_certificate_required: async () => tlsServer({ requestCert: true, rejectUnauthorized: true, ca: trusted.cert }),
  bad_http: async () => tlsServer({}, "220 mail.example ESMTP\r\n"),
};

test.each(Object.entries(faultyServers))("an endpoint's fault reports %s", async (reason, start) => {
  await using endpoint = await listening(await start());
  expect(await send(endpoint)).toMatchObject({ outcome: "connection_error", reason, statusCode: undefined });
});

test("a name that does not resolve reports dns_failed", async () => {
  const resolve = () => Promise.reject(new Error("NXDOMAIN"));
  const sent = await send({ port: 443, [Symbol.asyncDispose]: async () => undefined }, { resolve });
  expect(sent).toMatchObject({ outcome: "connection_error", reason: "dns_failed" });
});

test("a port where nothing listens reports refused", async () => {
  const endpoint = await listening(createServer());
  await endpoint[Symbol.asyncDispose]();
  expect(await send(endpoint)).toMatchObject({ outcome: "connection_error", reason: "refused" });
});

test("an endpoint that accepts the connection but starts no TLS handshake reports connect_timeout", async () => {
  await using endpoint = await listening(createServer());
  expect(await send(endpoint, { budgetMs: 300 })).toMatchObject({
    outcome: "connection_error",
    reason: "connect_timeout",
  });
});

test("a self-signed certificate is untrusted", async () => {
  await using endpoint = await listening(await tlsServer(untrusted));
  expect(await send(endpoint)).toMatchObject({ outcome: "connection_error", reason: "tls_untrusted" });
});

test("the same endpoint without a fault is reached", async () => {
  const intermediate = await authority({ name: "Between the two", ca: trusted });
  const { key, cert } = await signedBy(intermediate, { names });
  await using endpoint = await listening(await tlsServer({ key, cert: `${cert}\n${intermediate.cert}` }));
  expect(await send(endpoint)).toMatchObject({ outcome: "success", reason: undefined });
});

test("the page for receivers explains every reason", () => {
  const page = readFileSync(new URL("../../../gateway/docs/receiving-webhooks.md", import.meta.url), "utf8");
  const table = page.slice(page.indexOf("| Reason |")).split("\n\n")[0]!;
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, reason]) => reason)).toEqual([...connectionFailures]);
});

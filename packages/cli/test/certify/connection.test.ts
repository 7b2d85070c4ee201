import { authority, signedBy } from "@canvass/rpc/testing";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { certify, type CaseResult } from "../../src/certify/certify.ts";
import { secret, startReceiver } from "./start-receiver.ts";

const trusted = getCACertificates("default");
afterEach(() => setDefaultCACertificates(trusted));

async function certifyUrl(url: URL): Promise<CaseResult[]> {
  const { cases, findings, skipped } = await certify({
    url,
    secret,
    deadline: () => new AbortController().signal,
    burst: 2,
  });
  expect(findings === 0 || findings + skipped === cases.length).toBe(true);
  return cases;
}

test("over https, with a certificate that is trusted, a receiver passes", async () => {
  const ca = await authority();
  setDefaultCACertificates([...trusted, ca.cert]);
  await using receiver = await startReceiver({ tls: await signedBy(ca, { names: ["127.0.0.1"] }) });
  for (const { name, result } of await certifyUrl(receiver.url)) expect([name, result]).toEqual([name, "passed"]);
});

test("an untrusted certificate is a finding, and nothing else is sent", async () => {
  await using receiver = await startReceiver({ tls: await signedBy(await authority(), { names: ["127.0.0.1"] }) });
  const [connection, ...others] = await certifyUrl(receiver.url);
  expect(connection).toMatchObject({ name: "connection", result: "finding", advice: expect.stringContaining("8.4") });
  expect(connection!.advice).toMatch(/certificate that browsers accept.*UNABLE_TO_/);
  for (const { result, answer } of others) expect([result, answer]).toEqual(["skipped", null]);
});

test("a certificate of another name is a finding", async () => {
  const ca = await authority();
  setDefaultCACertificates([...trusted, ca.cert]);
  await using receiver = await startReceiver({ tls: await signedBy(ca, { names: ["elsewhere.example"] }) });
  const [connection] = await certifyUrl(receiver.url);
  expect(connection!.advice).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
});

test.each([
  ["no HTTP", "220 mail.example ESMTP\r\n"],
  ["nothing", ""],
])("a server that answers %s is a finding", async (_what, answer) => {
  const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(answer)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const [connection] = await certifyUrl(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  expect(connection!.advice).toContain("Answer in HTTP/1.1");
  await once(server.close(), "close");
});

test("a host without a name, and a port without a server, are findings", async () => {
  const closed = await startReceiver();
  await closed[Symbol.asyncDispose]();
  for (const url of [closed.url, new URL("https://receiver.invalid/hook")]) {
    const [connection] = await certifyUrl(url);
    expect(connection).toMatchObject({ result: "finding", advice: expect.stringMatching(/^Make host and port/) });
    expect(connection!.answer).toMatch(/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/);
  }
});

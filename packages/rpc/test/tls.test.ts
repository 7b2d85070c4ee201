import { createCallerVerifier } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { TokenService } from "@canvass/proto/token";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { generateKeyPairSync } from "node:crypto";
import dns, { type LookupAddress, type LookupAllOptions } from "node:dns";
import { beforeAll, expect, test, vi } from "vitest";
import {
  createRpcClient,
  startRpcServer,
  type RpcClientOptions,
  type RpcServer,
  type RpcServerOptions,
} from "../src/index.ts";
import { authority, signedBy, type Party } from "./certificates.ts";

const callerKeys = generateKeyPairSync("ed25519");

let ours: Party;
let theirs: Party;
let member: Party;
let stranger: Party;
beforeAll(async () => {
  [ours, theirs] = await Promise.all([authority(), authority()]);
  [member, stranger] = await Promise.all([signedBy(ours), signedBy(theirs)]);
});

const start = (tls: RpcServerOptions["tls"]): Promise<RpcServer> =>
  startRpcServer({
    host: "127.0.0.1",
    port: 0,
    log: createLogger({ service: "test", level: "silent" }),
    metrics: createMetrics("test"),
    verifyCaller: createCallerVerifier(callerKeys.publicKey, () => new Date()),
    peerKey: "peer",
    checks: {},
    tls,
    drainMs: 500,
    routes: (router) => {
      router.service(TokenService, { batchAuthenticate: async () => ({}), recordTokenUses: async () => ({}) });
    },
  });

// By host name, because a TLS handshake cannot ask for an address.
const hostUrlOf = ({ url }: RpcServer): string => url.replace("127.0.0.1", "localhost");

async function call(url: string, tls: RpcClientOptions["tls"]): Promise<string> {
  await using client = createRpcClient(TokenService, { url, peerKey: "peer", tls });
  try {
    await client.batchAuthenticate({});
    return "fine";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

test("with an authority configured, only processes with its certificates talk to each other", async () => {
  await using server = await start({ ...member, ca: ours.cert });
  const url = hostUrlOf(server);
  expect(url).toMatch(/^https:/);
  expect(await call(url, { ca: ours.cert, ...member })).toBe("fine");
  const refusals = [{ ca: ours.cert }, { ca: ours.cert, ...stranger }, { ca: theirs.cert, ...member }, undefined];
  expect(await Promise.all(refusals.map((tls) => call(url, tls)))).not.toContain("fine");
  expect(await call(url.replace("https:", "http:"), undefined)).not.toBe("fine");
});

test("without an authority, a server proves itself and asks no client for a certificate", async () => {
  await using server = await start(member);
  expect(await call(hostUrlOf(server), { ca: ours.cert })).toBe("fine");
  expect(await call(hostUrlOf(server), { ca: theirs.cert })).not.toBe("fine");
});

test("a certificate for another name is refused", async () => {
  await using server = await start({ ...(await signedBy(ours, { names: ["survey"] })), ca: ours.cert });
  expect(await call(hostUrlOf(server), { ca: ours.cert, ...member })).not.toBe("fine");
});

type LookupAll = (name: string, options: LookupAllOptions) => Promise<LookupAddress[]>;

test("an address without a name is refused at once, since no call could succeed", () => {
  const connect = (url: string) => () => createRpcClient(TokenService, { url, tls: { ca: ours.cert } });
  expect(connect("https://127.0.0.1:1")).toThrow("https://127.0.0.1:1 has no host name");
  expect(connect("https://[::1]:1")).toThrow("https://[::1]:1 has no host name");
});

test("with TLS configured nothing is called in clear text", () => {
  const connect = () => createRpcClient(TokenService, { url: "http://localhost:1", tls: { ca: ours.cert } });
  expect(connect).toThrow("http://localhost:1 must be https");
});

test("no call fails while one address of a name is served and another is not", async () => {
  await using server = await start({ ...member, ca: ours.cert });
  // As most machines resolve localhost; the server listens on the second address only.
  const addresses = [
    { address: "::1", family: 6 },
    { address: "127.0.0.1", family: 4 },
  ];
  using lookup = vi.spyOn<{ lookup: LookupAll }, "lookup">(dns.promises, "lookup").mockResolvedValue(addresses);
  using serviceConfig = vi.spyOn(dns.promises, "resolveTxt");
  await using client = createRpcClient(TokenService, {
    url: hostUrlOf(server),
    peerKey: "peer",
    tls: { ca: ours.cert, ...member },
  });
  // The refused address causes a look-up again and again. A call that writes is repeated only if it was not processed.
  while (lookup.mock.calls.length < 4) await client.recordTokenUses({});
  expect(serviceConfig).not.toHaveBeenCalled();
});

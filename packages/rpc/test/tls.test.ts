import { createCallerVerifier } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { TokenService } from "@canvass/proto/token";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { generateKeyPairSync } from "node:crypto";
import { generate } from "selfsigned";
import { beforeAll, expect, test } from "vitest";
import { createRpcClient, startRpcServer, type RpcClientOptions, type RpcServer } from "../src/index.ts";

interface Party {
  key: string;
  cert: string;
}

const ecdsa = { keyType: "ec", algorithm: "sha256" } as const;
const callerKeys = generateKeyPairSync("ed25519");

async function authority(): Promise<Party> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "test authority" }], {
    ...ecdsa,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  return { key, cert };
}

async function signedBy(ca: Party): Promise<Party> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "process" }], {
    ...ecdsa,
    ca,
    extensions: [
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true, clientAuth: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] },
    ],
  });
  return { key, cert };
}

let ours: Party;
let theirs: Party;
let process: Party;
let stranger: Party;
beforeAll(async () => {
  [ours, theirs] = await Promise.all([authority(), authority()]);
  [process, stranger] = await Promise.all([signedBy(ours), signedBy(theirs)]);
});

const start = (): Promise<RpcServer> =>
  startRpcServer({
    host: "127.0.0.1",
    port: 0,
    log: createLogger({ service: "test", level: "silent" }),
    metrics: createMetrics("test"),
    verifyCaller: createCallerVerifier(callerKeys.publicKey, () => new Date()),
    peerKey: "peer",
    checks: {},
    tls: { ...process, ca: ours.cert },
    drainMs: 500,
    routes: (router) => {
      router.service(TokenService, { batchAuthenticate: async () => ({}) });
    },
  });

async function call(url: string, tls: RpcClientOptions["tls"]): Promise<string> {
  await using client = createRpcClient(TokenService, { url, peerKey: "peer", tls });
  try {
    await client.batchAuthenticate({}, { timeoutMs: 3_000 });
    return "fine";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

test("with an authority configured, only processes with a certificate of it talk to each other", async () => {
  await using server = await start();
  // A certificate names a host: addresses cannot be asked for in a TLS handshake.
  const url = server.url.replace("127.0.0.1", "localhost");
  expect(url).toMatch(/^https:/);
  expect(await call(url, { ca: ours.cert, ...process })).toBe("fine");
  const refusals = [{ ca: ours.cert }, { ca: ours.cert, ...stranger }, { ca: theirs.cert, ...process }, undefined];
  expect(await Promise.all(refusals.map((tls) => call(url, tls)))).not.toContain("fine");
  expect(await call(url.replace("https:", "http:"), undefined)).not.toBe("fine");
});

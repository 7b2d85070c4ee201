import { createLogger, createMetrics } from "@canvass/telemetry";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { expect, test } from "vitest";
import { startRpcHost, type ServiceConfig } from "../src/index.ts";

async function listen(port: number): Promise<Server> {
  const server = createServer();
  await once(server.listen(port, "127.0.0.1"), "listening");
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const close = (server: Server) => once(server.close(), "close");

test("a host whose operations port is in use closes its RPC server", async () => {
  const blocker = await listen(0);
  const free = await listen(0);
  const rpcPort = portOf(free);
  await close(free);
  const { publicKey } = generateKeyPairSync("ed25519");
  const config = {
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: rpcPort,
    CANVASS_OPS_HOST: "127.0.0.1",
    CANVASS_OPS_PORT: portOf(blocker),
    CANVASS_DRAIN_DELAY_MS: 0,
    CANVASS_PEER_KEY: "peer",
    CANVASS_CALLER_PUBLIC_KEY: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  } as ServiceConfig;
  const starting = startRpcHost({
    config,
    now: () => new Date(),
    log: createLogger({ service: "test", level: "silent" }),
    metrics: createMetrics("test"),
    checks: {},
    routes: () => {},
  });
  await expect(starting).rejects.toMatchObject({ code: "EADDRINUSE", port: portOf(blocker) });
  await close(await listen(rpcPort));
  await close(blocker);
});

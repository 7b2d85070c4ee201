import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { System } from "@canvass/dev-env";
import { addressVariable, serviceNames } from "@canvass/processes";
import { waitFor } from "@canvass/testing";

export interface SecondGateway extends AsyncDisposable {
  baseUrl: string;
}

const program = fileURLToPath(new URL("../../../gateway/src/main.ts", import.meta.url));

/** A second gateway before the same services. */
export async function startSecondGateway(system: System): Promise<SecondGateway> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [program], {
    stdio: "ignore",
    env: {
      PATH: process.env["PATH"],
      CANVASS_HOST: "127.0.0.1",
      CANVASS_PORT: String(port),
      CANVASS_OPS_HOST: "127.0.0.1",
      CANVASS_OPS_PORT: String(opsPort),
      CANVASS_PUBLIC_URL: `http://127.0.0.1:${port}`,
      CANVASS_PEER_KEY: system.keys.peerKey,
      CANVASS_RATE_LIMITS: "off",
      NATS_URL: system.local.natsUrl,
      ...serviceUrls(system),
    },
  });
  const ended = once(child, "exit");
  const isReady = async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok;
  await waitFor(isReady, { describe: "the second gateway", timeoutMs: 30_000 });
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function serviceUrls(system: System): Record<string, string> {
  return Object.fromEntries(serviceNames.map((name) => [addressVariable(name), system.rpcUrl(name)]));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

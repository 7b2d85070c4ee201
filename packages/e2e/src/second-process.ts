import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import type { System } from "@canvass/dev-env";
import { addressVariable, serviceNames } from "@canvass/processes";
import { anyFreePort } from "@canvass/dev-env/servers";
import { programEnvironment, waitFor } from "@canvass/testing";

/** A second process of a program, connected to the same services and servers. It is not restarted. */
export interface SecondProcess extends AsyncDisposable {
  /** A free port for its listener: CANVASS_PORT or CANVASS_RPC_PORT. */
  port: number;
  pid: number;
  /** Base URL of /livez, /readyz and /metrics. */
  opsUrl: string;
  /** Resolves with the exit status, or the signal that ended the process. */
  ended: Promise<[status: number | null, signal: string | null]>;
}

/** Resolves when the process is ready. `env` extends the environment that every process gets. */
export async function startSecondProcess(
  system: System,
  name: string,
  env: Record<string, string> = {},
  stdio: StdioOptions = "ignore",
): Promise<SecondProcess> {
  const [port, opsPort] = [await anyFreePort(), await anyFreePort()];
  const child = spawn(process.execPath, [system.mainOf(name)], {
    stdio,
    env: {
      ...programEnvironment(),
      CANVASS_OPS_HOST: "127.0.0.1",
      CANVASS_OPS_PORT: String(opsPort),
      CANVASS_PEER_KEY: system.keys.peerKey,
      NATS_URL: system.local.natsUrl,
      ...Object.fromEntries(serviceNames.map((service) => [addressVariable(service), system.rpcUrl(service)])),
      ...(name === "gateway" ? gatewaySettings(port) : serviceSettings(system, name, port)),
      ...env,
    },
  });
  const ended = once(child, "exit") as SecondProcess["ended"];
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const isReady = async () => child.exitCode !== null || (await fetch(`${opsUrl}/readyz`)).ok;
  await waitFor(isReady, { describe: `a second ${name}`, timeoutMs: 60_000 });
  if (child.exitCode !== null) throw new Error(`a second ${name} ended with status ${child.exitCode}`);
  return {
    port,
    pid: child.pid!,
    opsUrl,
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function gatewaySettings(port: number): Record<string, string> {
  return {
    CANVASS_HOST: "127.0.0.1",
    CANVASS_PORT: String(port),
    CANVASS_PUBLIC_URL: `http://127.0.0.1:${port}`,
    CANVASS_RATE_LIMITS: "off",
  };
}

function serviceSettings({ keys, local }: System, name: string, port: number): Record<string, string> {
  const database = new URL(local.databaseUrl);
  database.pathname = `/canvass_${name}`;
  return {
    CANVASS_RPC_HOST: "127.0.0.1",
    CANVASS_RPC_PORT: String(port),
    CANVASS_CALLER_PUBLIC_KEY: keys.callerPublicKey,
    CANVASS_CALLER_PRIVATE_KEY: keys.callerPrivateKey,
    CANVASS_OPERATOR_KEY: keys.operatorKey,
    CANVASS_SECRETS_KEY: keys.secretsKey,
    CANVASS_CURSOR_KEY: keys.cursorKey,
    DATABASE_URL: database.href,
  };
}

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * The smallest gateway and service: the bare read, with our network hops and nothing else. The gap between ours and the
 * floor can be closed; the gap between the floor and bare is the price of a gateway and a service instead of one
 * process.
 */
export interface Floor extends AsyncDisposable {
  url: string;
}

/** `databaseUrl` is the bare program's. */
export async function startFloor(databaseUrl: string): Promise<Floor> {
  await using started = new AsyncDisposableStack();
  const start = async <Ready>(name: string, env: Record<string, string>): Promise<Ready> => {
    const child = spawn(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url))], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, ...env, NODE_ENV: "production" },
    });
    started.defer(() => end(child));
    return (await once(child, "message"))[0] as Ready;
  };
  const { port } = await start<{ port: number }>("service", { DATABASE_URL: databaseUrl });
  const { url } = await start<{ url: string }>("gateway", { SERVICE_PORT: String(port) });
  const running = started.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.disconnect();
  await once(child, "exit");
}

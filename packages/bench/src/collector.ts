import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("children/discard-traces.ts", import.meta.url));

/** Starts a trace collector in its own process, so that a benchmark includes the sending of traces. It stores none. */
export async function startCollector(): Promise<AsyncDisposable & { url: string }> {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

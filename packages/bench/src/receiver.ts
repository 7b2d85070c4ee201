import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface Arrival {
  /** webhook-id. */
  id: string;
  /** Milliseconds since 1970, with fractions. */
  at: number;
}

/** A webhook endpoint in its own process. */
export interface Receiver extends AsyncDisposable {
  url: string;
  ca: string;
  pid: number;
  /** Waits for that many more arrivals and removes them. */
  take(count: number): Promise<Arrival[]>;
}

const program = fileURLToPath(new URL("children/receive-webhooks.ts", import.meta.url));
const patienceMs = 120_000;

export async function startReceiver(): Promise<Receiver> {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [{ url, ca }] = (await once(child, "message")) as [{ url: string; ca: string }];
  let kept: Arrival[] = [];

  async function poll(): Promise<void> {
    child.send("take");
    const [{ arrivals }] = (await once(child, "message")) as [{ arrivals: Arrival[] }];
    kept = [...kept, ...arrivals];
  }

  return {
    url,
    ca,
    pid: child.pid!,
    async take(count) {
      const until = Date.now() + patienceMs;
      for (await poll(); kept.length < count; await poll()) {
        if (Date.now() > until) throw new Error(`${kept.length} of ${count} webhooks arrived`);
        await delay(20);
      }
      const taken = kept.slice(0, count);
      kept = kept.slice(count);
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

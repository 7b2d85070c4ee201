import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Arrival {
  /** The `webhook-id` header. */
  id: string;
  /** Unix time in milliseconds, with fractions. */
  at: number;
}

/** A webhook endpoint in its own process. */
export interface Receiver extends AsyncDisposable {
  url: string;
  ca: string;
  pid: number;
  /** Returns and removes the next `count` arrivals. Throws if fewer come within two minutes. */
  take(count: number): Promise<Arrival[]>;
}

const program = fileURLToPath(new URL("children/receive-webhooks.ts", import.meta.url));
const patienceMs = 120_000;

export async function startReceiver(): Promise<Receiver> {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [{ url, ca }] = (await once(child, "message")) as [{ url: string; ca: string }];

  return {
    url,
    ca,
    pid: child.pid!,
    // The child sends one message when all have arrived: polling would take CPU from the system under test.
    async take(count) {
      child.send({ count, patienceMs });
      const [{ arrivals, missing }] = (await once(child, "message")) as [{ arrivals: Arrival[]; missing: number }];
      if (missing > 0) throw new Error(`${count - missing} of ${count} webhooks arrived`);
      return arrivals;
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

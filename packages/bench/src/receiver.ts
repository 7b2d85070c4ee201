import { spawn } from "node:child_process";
import { once } from "node:events";
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

  return {
    url,
    ca,
    pid: child.pid!,
    // It tells of them once, when all are there: polling would take the processor from what is measured.
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

import { startNats, type NatsServer } from "@canvass/servers";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestNats extends AsyncDisposable {
  /** Stays the same over restarts. */
  readonly url: string;
  readonly port: number;
  /** Where the server keeps its streams: `<account>/streams/<stream>/{msgs,obs}`. */
  readonly storeDir: string;
  /** Starts it again; nothing when it runs. Resolves when it serves JetStream. */
  start(): Promise<void>;
  /** Ends it in an orderly way; nothing when it is stopped. */
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Deletes all that it stored. Only while it is stopped. */
  wipe(): Promise<void>;
}

/** A NATS server with JetStream of the test's own, running, with a store of its own. Disposing deletes that too. */
export async function testNats(): Promise<TestNats> {
  const dataDir = await mkdtemp(join(tmpdir(), "canvass-test-nats-"));
  const storeDir = join(dataDir, "jetstream");
  let server: NatsServer | undefined = await startNats({ dataDir });
  const { url, port } = server;

  async function stop(): Promise<void> {
    await server?.[Symbol.asyncDispose]();
    server = undefined;
  }

  return {
    url,
    port,
    storeDir,
    stop,
    async start() {
      server ??= await startNats({ dataDir, port });
    },
    async kill() {
      if (server) process.kill(server.pid, "SIGKILL");
      await server?.exited;
      server = undefined;
    },
    async wipe() {
      if (server) throw new Error("the store cannot be wiped while the server runs");
      await rm(storeDir, { recursive: true, force: true });
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

import { startNats, type NatsServer, type StartNatsOptions } from "@canvass/dev-env/servers";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestNats extends AsyncDisposable {
  /** With user and password; the same after a restart. */
  readonly url: string;
  readonly port: number;
  /** Folder of the streams: `<account>/streams/<stream>/{msgs,obs}`. */
  readonly storeDir: string;
  /** Resolves when the server serves JetStream. No effect while it runs. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Deletes the data of a stopped server. */
  wipe(): Promise<void>;
}

/** Starts a NATS server with JetStream for one test; `tlsFiles` enable mutual TLS. Disposing deletes its data. */
export async function testNats({ tlsFiles }: Pick<StartNatsOptions, "tlsFiles"> = {}): Promise<TestNats> {
  const dataDir = await mkdtemp(join(tmpdir(), "canvass-test-nats-"));
  const storeDir = join(dataDir, "jetstream");
  let server: NatsServer | undefined = await startNats({ dataDir, tlsFiles });
  const { url, port } = server;
  const password = decodeURIComponent(new URL(url).password);

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
      server ??= await startNats({ dataDir, port, password, tlsFiles });
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

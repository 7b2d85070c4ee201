import { startNats, type NatsServer } from "@canvass/dev-env/servers";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestNatsCluster extends AsyncDisposable {
  /** All servers, separated by commas. */
  readonly url: string;
  readonly servers: readonly NatsServer[];
}

/** On loopback, for one test. Disposing deletes its data. */
export async function testNatsCluster(size: number): Promise<TestNatsCluster> {
  await using starting = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "canvass-test-nats-"));
  starting.defer(() => rm(directory, { recursive: true, force: true }));
  const routes = await freePorts(size);
  const password = randomBytes(24).toString("base64url");
  const start = async (port: number, index: number) => {
    const name = `canvass-${index + 1}`;
    return starting.use(await startNats({ dataDir: join(directory, name), password, cluster: { name, port, routes } }));
  };
  const servers = await Promise.all(routes.map(start));
  const running = starting.move();
  return {
    url: servers.map(({ url }) => url).join(","),
    servers,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Holds all ports at the same time, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, holdPort));
  const ports = held.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(held.map((server) => once(server.close(), "close")));
  return ports;
}

async function holdPort(): Promise<Server> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

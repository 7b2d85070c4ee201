import { anyFreePort, startNats, type NatsServer } from "@canvass/dev-env/servers";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
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

/** Returns different free ports. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await anyFreePort());
  return [...ports];
}

import { createMetrics } from "@canvass/telemetry";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectPlainly, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer, type ConnectionOptions, type TLSSocket, type TlsOptions } from "node:tls";
import { beforeAll, expect, test } from "vitest";
import { authority, signedBy, type Party } from "../test/certificates.ts";
import { registerCertificateEnds } from "./certificate-ends.ts";

const inDays = (days: number) => new Date(Math.floor(Date.now() / 1_000 + days * 86_400) * 1_000);
const ends = { own: inDays(30), between: inDays(20), top: inDays(10), old: inDays(5), fresh: inDays(300) };

let top: Party;
let between: Party;
let own: Party;
let old: Party;
let fresh: Party;
beforeAll(async () => {
  top = await authority({ name: "top", ends: ends.top });
  between = await authority({ name: "between", ends: ends.between, ca: top });
  own = await signedBy(between, { ends: ends.own });
  [old, fresh] = await Promise.all([authority({ ends: ends.old }), authority({ ends: ends.fresh })]);
});

function watch(tls?: Parameters<typeof registerCertificateEnds>[1], others?: Record<string, string | undefined>) {
  const metrics = createMetrics("test", { OTEL_METRICS_EXPORTER: "prometheus" });
  const watched = registerCertificateEnds(metrics, tls, others);
  async function shown(): Promise<Record<string, Date>> {
    const { values } = await metrics.getSingleMetric("canvass_certificate_expiry_timestamp_seconds")!.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels["certificate"], new Date(value * 1_000)]));
  }
  return { ...watched, shown };
}

test("without TLS nothing is shown", async () => {
  expect(await watch().shown()).toEqual({});
});

test("a process that only calls relies on authorities alone; the first of them to end counts", async () => {
  const ca = `# both, while one replaces the other\n${fresh.cert}\n# the old one\n${old.cert}`;
  expect(await watch({ ca }).shown()).toEqual({ authority: ends.old });
});

test("shown are the process's own certificate, and the first to end of its chain and of its authorities", async () => {
  const cert = [own, fresh, between].map((party) => party.cert).join("\n");
  expect(await watch({ key: own.key, cert }).shown()).toEqual({ own: ends.own, chain: ends.between });
  expect(await watch({ ...own, ca: top.cert }).shown()).toEqual({ own: ends.own, authority: ends.top });
});

test("the certificates of other files are shown, too; an invalid or missing file is left out", async () => {
  const directory = await mkdtemp(join(tmpdir(), "canvass-certificate-ends-"));
  await using parts = new AsyncDisposableStack();
  parts.defer(() => rm(directory, { recursive: true }));
  const mail = join(directory, "mail");
  await writeFile(mail, `${fresh.cert}\n${old.cert}`);
  await writeFile(join(directory, "faulty"), "faulty");
  const others = { mail, faulty: join(directory, "faulty"), missing: join(directory, "missing"), absent: undefined };
  expect(await watch(undefined, others).shown()).toEqual({ mail: ends.old });
});

/** Connects to a listener. Returns the client's socket after the handshake. */
async function meet(server: TlsOptions, client: ConnectionOptions) {
  const parts = new AsyncDisposableStack();
  const listener = createServer(server, (socket) => void socket.on("error", () => undefined).resume());
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  parts.defer(() => void listener.close());
  const socket: TLSSocket = connect({ ...client, port, host: "127.0.0.1", servername: "localhost" });
  parts.defer(() => void socket.destroy());
  await once(socket, "secureConnect");
  return { socket, port, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

test("the certificate of a server's chain that expires first counts, whether it was sent or is trusted locally", async () => {
  const watched = watch();
  await using long = await meet({ key: own.key, cert: `${own.cert}\n${between.cert}` }, { ca: top.cert });
  watched.noteSocket("postgresql", long.socket);
  expect(await watched.shown()).toEqual({ postgresql: ends.top });
  const renewed = await signedBy(fresh, { ends: ends.own });
  await using short = await meet(renewed, { ca: fresh.cert });
  watched.noteSocket("postgresql", short.socket);
  watched.note("nats", long.socket.getPeerCertificate(true));
  expect(await watched.shown()).toEqual({ postgresql: ends.own, nats: ends.top });
});

test("sockets that are unverified, in clear text or closed are ignored", async () => {
  const watched = watch();
  await using unchecked = await meet(own, { rejectUnauthorized: false });
  watched.noteSocket("postgresql", unchecked.socket);
  await using plain = await meet(own, { ca: [top.cert, between.cert] });
  const clear = connectPlainly(plain.port, "127.0.0.1");
  await once(clear, "connect");
  watched.noteSocket("postgresql", clear);
  clear.destroy();
  plain.socket.destroy();
  await once(plain.socket, "close");
  watched.noteSocket("postgresql", plain.socket);
  expect(await watched.shown()).toEqual({});
});

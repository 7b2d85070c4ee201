import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DetailedPeerCertificate, PeerCertificate } from "node:tls";
import { authority, signedBy, type Party } from "@canvass/rpc/testing";
import { createLogger } from "@canvass/telemetry";
import { testNats, waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectBus } from "../src/index.ts";

let directory: string;
let ca: Party;
let member: Party;
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-bus-tls-"));
  ca = await authority();
  member = await signedBy(ca);
  await writeFile(file("ca"), ca.cert);
});
afterAll(() => rm(directory, { recursive: true }));

/** Files of a server with this certificate, which asks for one of the authority. */
async function files({ key, cert }: Party) {
  await Promise.all([writeFile(file("key"), key), writeFile(file("cert"), cert)]);
  return { key: file("key"), cert: file("cert"), ca: file("ca") };
}

/** A member's bus; keeps what the server shows and what is logged. */
function connectMember(url: string) {
  const shown: PeerCertificate[] = [];
  const logged: string[] = [];
  const log = createLogger({ service: "test", destination: { write: (line) => void logged.push(line) } });
  const tls = { ca: ca.cert, ...member };
  const onServerCertificate = (certificate: PeerCertificate) => void shown.push(certificate);
  return { bus: connectBus({ url, name: "member", log, tls, onServerCertificate }), shown, logged };
}

test("at each connection the server's certificate is shown, with its issuer", async () => {
  const ends = new Date("2077-01-01T00:00:00Z");
  await using nats = await testNats({ tlsFiles: await files(await signedBy(ca)) });
  const { bus, shown } = connectMember(nats.url);
  await using _open = bus;
  await waitFor(() => bus.connected, { describe: "the bus" });
  expect(shown).toHaveLength(1);
  expect((shown[0] as DetailedPeerCertificate).issuerCertificate.subject).toEqual({ CN: "Canvass test authority" });
  await nats.stop();
  await files(await signedBy(ca, { ends }));
  await nats.start();
  const latest = () => new Date(shown.at(-1)!.valid_to);
  await waitFor(() => latest().getTime() === ends.getTime(), { describe: "the renewed certificate" });
  await waitFor(() => bus.connected, { describe: "the bus" });
});

test.each<[what: string, make: () => Promise<Party>, why: string]>([
  ["for another name", () => signedBy(ca, { names: ["elsewhere"] }), "altnames"],
  ["that has ended", () => signedBy(ca, { ends: new Date(Date.now() - 1_000) }), "expired"],
  ["of another authority", async () => signedBy(await authority({ name: "theirs" })), "certificate"],
])("a server with a certificate %s is refused, and not shown", async (_, make, why) => {
  await using nats = await testNats({ tlsFiles: await files(await make()) });
  const { bus, shown, logged } = connectMember(nats.url);
  await using _open = bus;
  await waitFor(() => logged.length > 0, { describe: "why" });
  expect([logged[0], bus.connected, shown]).toEqual([expect.stringContaining(why), false, []]);
});

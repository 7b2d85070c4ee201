import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authority, signedBy, type Party } from "../test/certificates.ts";
import { readTlsFiles } from "./tls-files.ts";

let directory: string;
let ca: Party;
let process: Party;
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-tls-"));
  ca = await authority();
  process = await signedBy(ca);
  await writeFile(file("key"), process.key);
  await writeFile(file("cert"), process.cert);
  await writeFile(file("ca"), ca.cert);
});
afterAll(() => rm(directory, { recursive: true }));

test("no variable, or an empty one, is no TLS", () => {
  expect(readTlsFiles({})).toBeUndefined();
  expect(readTlsFiles({ CANVASS_TLS_KEY_FILE: "", CANVASS_TLS_CERT_FILE: "" })).toBeUndefined();
});

test("the files are read; a process that only makes calls needs only the authority", () => {
  const own = { CANVASS_TLS_KEY_FILE: file("key"), CANVASS_TLS_CERT_FILE: file("cert") };
  expect(readTlsFiles(own)).toEqual(process);
  expect(readTlsFiles({ ...own, CANVASS_TLS_CA_FILE: file("ca") })).toEqual({ ...process, ca: ca.cert });
  expect(readTlsFiles({ CANVASS_TLS_CA_FILE: file("ca") })).toEqual({ ca: ca.cert });
});

test("every fault is named in one line, and no value", () => {
  const refusal = (environment: Parameters<typeof readTlsFiles>[0]): string => {
    try {
      return `read ${JSON.stringify(readTlsFiles(environment))}`;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusal({ CANVASS_TLS_KEY_FILE: file("key") })).toBe(
    "CANVASS_TLS_CERT_FILE is missing beside CANVASS_TLS_KEY_FILE",
  );
  expect(refusal({ CANVASS_TLS_CERT_FILE: file("cert"), CANVASS_TLS_CA_FILE: file("ca") })).toBe(
    "CANVASS_TLS_KEY_FILE is missing beside CANVASS_TLS_CERT_FILE",
  );
  expect(
    refusal({
      CANVASS_TLS_KEY_FILE: file("cert"),
      CANVASS_TLS_CERT_FILE: file("key"),
      CANVASS_TLS_CA_FILE: file("nowhere"),
    }),
  ).toBe(
    "CANVASS_TLS_KEY_FILE names a file that holds no private key in PEM; " +
      "CANVASS_TLS_CERT_FILE names a file that holds no certificate in PEM; " +
      "CANVASS_TLS_CA_FILE names a file that cannot be read (ENOENT)",
  );
});

test("a certificate that cannot be read is a fault wherever it stands in its file", async () => {
  const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  const cut = ca.cert.slice(0, ca.cert.length / 2);
  for (const [text, number] of [
    [`${ca.cert}\n${broken}\n${process.cert}`, 2],
    [`${ca.cert}\n${cut}`, 2],
    // Two files, joined without a line feed.
    [ca.cert.trim() + process.cert, 1],
  ] as const) {
    await writeFile(file("faulty"), text);
    expect(() => readTlsFiles({ CANVASS_TLS_CA_FILE: file("faulty") })).toThrow(
      `CANVASS_TLS_CA_FILE names a file that holds a certificate that cannot be read (number ${number})`,
    );
  }
});

test("keys and comments next to certificates are allowed", async () => {
  await writeFile(
    file("whole"),
    `# of the survey service\n${process.key}\n${process.cert}\n# its authority\n${ca.cert}`,
  );
  const whole = { CANVASS_TLS_KEY_FILE: file("whole"), CANVASS_TLS_CERT_FILE: file("whole") };
  expect(readTlsFiles(whole)).toMatchObject({ cert: expect.stringContaining("# its authority") });
});

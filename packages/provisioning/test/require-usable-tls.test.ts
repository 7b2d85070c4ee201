import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { OperationalError, requireUsableTls } from "../src/index.ts";
import { authority, signedBy, type Party } from "@canvass/rpc/testing";

let directory: string;
let files: Record<string, string>;
const path = (name: string) => join(directory, `${name}.pem`);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-tls-"));
  const [ours, theirs] = await Promise.all([authority(), authority()]);
  await write("ours", ours);
  await write("theirs", theirs);
  await write("process", await signedBy(ours));
  await write("other-name", await signedBy(ours, { names: ["survey"] }));
  await write("server-only", await signedBy(ours, { usage: { serverAuth: true, clientAuth: false } }));
  files = tls("process");
});
afterAll(() => rm(directory, { recursive: true }));

async function write(name: string, { key, cert }: Party): Promise<void> {
  await writeFile(path(`${name}.key`), key);
  await writeFile(path(name), cert);
}

const tls = (name: string): Record<string, string> => ({
  CANVASS_TLS_KEY_FILE: path(`${name}.key`),
  CANVASS_TLS_CERT_FILE: path(name),
  CANVASS_TLS_CA_FILE: path("ours"),
});

describe("TLS files that do not serve are refused", () => {
  test.each<[Record<string, string>, string]>([
    [{ CANVASS_TLS_KEY_FILE: "" }, "CANVASS_TLS_KEY_FILE is missing: TLS between the processes takes"],
    [{ CANVASS_TLS_CERT_FILE: "" }, "CANVASS_TLS_CERT_FILE is missing: TLS between the processes takes"],
    [{ CANVASS_TLS_CA_FILE: "" }, "CANVASS_TLS_CA_FILE is missing: TLS between the processes takes"],
    [
      { CANVASS_TLS_CERT_FILE: "", CANVASS_TLS_CA_FILE: "" },
      "CANVASS_TLS_CERT_FILE and CANVASS_TLS_CA_FILE are missing: TLS",
    ],
    [{ CANVASS_TLS_CA_FILE: "/nowhere.pem" }, "CANVASS_TLS_CA_FILE names a file that cannot be read (ENOENT)."],
    [{ CANVASS_TLS_KEY_FILE: "/" }, "CANVASS_TLS_KEY_FILE names a file that cannot be read (EISDIR)."],
    [{ CANVASS_TLS_CERT_FILE: import.meta.filename }, "CANVASS_TLS_CERT_FILE names a file that holds no certificate"],
  ])("%j", async (wrong, sentence) => {
    expect(await refusal({ ...files, ...wrong })).toContain(sentence);
  });

  test.each([
    ["a certificate of another authority", () => ({ CANVASS_TLS_CA_FILE: path("theirs") }), "CERT_SIGNATURE_FAILURE"],
    ["a certificate for another name", () => tls("other-name"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["a certificate for servers only", () => tls("server-only"), "INVALID_PURPOSE"],
    ["another key's certificate", () => ({ CANVASS_TLS_KEY_FILE: path("other-name.key") }), "key values mismatch"],
  ])("%s", async (_what, wrong, reason) => {
    expect(await refusal({ ...files, ...wrong() })).toContain(reason);
  });

  async function refusal(env: Record<string, string>): Promise<string> {
    try {
      await requireUsableTls(env);
      return "they serve";
    } catch (error) {
      return error instanceof OperationalError ? error.message : `a defect: ${String(error)}`;
    }
  }
});

test("usable files are returned with absolute paths; without any the result is undefined", async () => {
  expect(await requireUsableTls(files)).toEqual({ key: path("process.key"), cert: path("process"), ca: path("ours") });
  expect(await requireUsableTls({})).toBeUndefined();
});

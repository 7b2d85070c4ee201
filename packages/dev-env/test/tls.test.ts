import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { authority, signedBy, type Party } from "@canvass/rpc/testing";
import { OperationalError } from "@canvass/provisioning";
import { startSystem } from "../src/index.ts";
import { readLocalFile } from "@canvass/operator";
import type { OperatorAccess } from "@canvass/operator";

import { fixtureProcesses } from "./fixtures/processes.ts";

let directory: string;
let dataDir: string;
let files: Record<string, string>;
const path = (name: string) => join(directory, `${name}.pem`);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-tls-"));
  dataDir = join(directory, "data");
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

function start(env: Record<string, string>, asked: OperatorAccess[] = []) {
  return startSystem({
    dataDir,
    env,
    natsUrl: "nats://127.0.0.1:1",
    databaseUrl: "postgresql://127.0.0.1:1/x",
    processes: fixtureProcesses(),
    createWorkspace: async (access) => {
      asked.push(access);
      return { workspaceId: "w", personId: "p", token: "t" };
    },
  });
}

describe("TLS files that do not serve are refused before anything is started", () => {
  test.each<[Record<string, string>, string]>([
    [{ CANVASS_TLS_KEY_FILE: "" }, "CANVASS_TLS_KEY_FILE is missing: TLS between the processes takes"],
    [{ CANVASS_TLS_CERT_FILE: "" }, "CANVASS_TLS_CERT_FILE is missing: TLS between the processes takes"],
    [{ CANVASS_TLS_CA_FILE: "" }, "CANVASS_TLS_CA_FILE is missing: TLS between the processes takes"],
    [
      { CANVASS_TLS_CERT_FILE: "", CANVASS_TLS_CA_FILE: "" },
      "CANVASS_TLS_CERT_FILE and CANVASS_TLS_CA_FILE are missing: TLS",
    ],
    [{ CANVASS_TLS_CA_FILE: "/nowhere.pem" }, "CANVASS_TLS_CA_FILE names a file that can not be read (ENOENT)."],
    [{ CANVASS_TLS_KEY_FILE: "/" }, "CANVASS_TLS_KEY_FILE names a file that can not be read (EISDIR)."],
    [{ CANVASS_TLS_CERT_FILE: import.meta.filename }, "CANVASS_TLS_CERT_FILE names a file that holds no certificate"],
  ])("%j", async (wrong, sentence) => {
    expect(await refusal({ ...files, ...wrong })).toContain(sentence);
    expect(existsSync(dataDir)).toBe(false);
  });

  test.each([
    ["a certificate of another authority", () => ({ CANVASS_TLS_CA_FILE: path("theirs") }), "CERT_SIGNATURE_FAILURE"],
    ["a certificate for another name", () => tls("other-name"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    ["a certificate for servers only", () => tls("server-only"), "INVALID_PURPOSE"],
    ["another key's certificate", () => ({ CANVASS_TLS_KEY_FILE: path("other-name.key") }), "key values mismatch"],
  ])("%s", async (_what, wrong, reason) => {
    expect(await refusal({ ...files, ...wrong() })).toContain(reason);
    expect(existsSync(dataDir)).toBe(false);
  });

  async function refusal(env: Record<string, string>): Promise<string> {
    try {
      await using _system = await start(env);
      return "it started";
    } catch (error) {
      return error instanceof OperationalError ? error.message : `a defect: ${String(error)}`;
    }
  }
});

test("with all three, processes, operators and local.json get addresses by name and the files' places", async () => {
  const asked: OperatorAccess[] = [];
  const named = Object.entries(files).map(([variable, file]) => [variable, relative(process.cwd(), file)]);
  await using system = await start(Object.fromEntries(named), asked);
  const survey = system.rpcUrl("survey");
  expect(survey).toMatch(/^https:\/\/localhost:\d+$/);
  const environment = await (await fetch(`${system.opsUrl("token")}/environment`)).json();
  expect(environment).toMatchObject({ ...files, CANVASS_SURVEY_URL: survey, CANVASS_RPC_HOST: "127.0.0.1" });

  const local = await readLocalFile(join(dataDir, "local.json"));
  const tlsFiles = { key: path("process.key"), cert: path("process"), ca: path("ours") };
  expect(local).toMatchObject({ tlsFiles, baseUrl: expect.stringMatching(/^http:/) });
  expect(local?.processes.find(({ name }) => name === "survey")?.url).toBe(survey);
  expect(asked).toEqual([{ tokenUrl: system.rpcUrl("token"), operatorKey: system.keys.operatorKey, tlsFiles }]);
});

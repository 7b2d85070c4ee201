import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { authority, signedBy, type Party } from "@canvass/rpc/testing";
import { startSystem } from "../src/index.ts";
import { readLocalFile } from "@canvass/operator/local-file";
import type { OperatorAccess } from "@canvass/operator/connect-operator";

import { fixtureProcesses } from "./fixtures/processes.ts";

let directory: string;
let dataDir: string;
let files: Record<string, string>;
const path = (name: string) => join(directory, `${name}.pem`);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-tls-"));
  dataDir = join(directory, "data");
  const ours = await authority();
  await write("ours", ours);
  await write("process", await signedBy(ours));
  files = {
    CANVASS_TLS_KEY_FILE: path("process.key"),
    CANVASS_TLS_CERT_FILE: path("process"),
    CANVASS_TLS_CA_FILE: path("ours"),
  };
});
afterAll(() => rm(directory, { recursive: true }));

async function write(name: string, { key, cert }: Party): Promise<void> {
  await writeFile(path(`${name}.key`), key);
  await writeFile(path(name), cert);
}

function start(env: Record<string, string>, receivedAccess: OperatorAccess[] = []) {
  return startSystem({
    dataDir,
    env,
    natsUrl: "nats://127.0.0.1:1",
    databaseUrl: "postgresql://127.0.0.1:1/x",
    processes: fixtureProcesses(),
    createWorkspace: async (access) => {
      receivedAccess.push(access);
      return { workspaceId: "w", personId: "p", token: "t" };
    },
  });
}

test("an incomplete set of TLS files is refused before anything is started", async () => {
  const twoOfThree = { ...files, CANVASS_TLS_CA_FILE: "" };
  await expect(start(twoOfThree)).rejects.toThrow("CANVASS_TLS_CA_FILE is missing: TLS between the processes takes");
  expect(existsSync(dataDir)).toBe(false);
});

test("with all three TLS files, RPC URLs are https://localhost, and processes, operators and local.json get absolute paths of the files", async () => {
  const receivedAccess: OperatorAccess[] = [];
  const relativeFiles = Object.entries(files).map(([variable, file]) => [variable, relative(process.cwd(), file)]);
  await using system = await start(Object.fromEntries(relativeFiles), receivedAccess);
  const survey = system.rpcUrl("survey");
  expect(survey).toMatch(/^https:\/\/localhost:\d+$/);
  const environment = await (await fetch(`${system.opsUrl("token")}/environment`)).json();
  expect(environment).toMatchObject({ ...files, CANVASS_SURVEY_URL: survey, CANVASS_RPC_HOST: "127.0.0.1" });

  const local = await readLocalFile(join(dataDir, "local.json"));
  const tlsFiles = { key: path("process.key"), cert: path("process"), ca: path("ours") };
  expect(local).toMatchObject({ tlsFiles, baseUrl: expect.stringMatching(/^http:/) });
  expect(local?.processes.find(({ name }) => name === "survey")?.url).toBe(survey);
  expect(receivedAccess).toEqual([
    { tokenUrl: system.rpcUrl("token"), operatorKey: system.keys.operatorKey, tlsFiles },
  ]);
});

import { generateKeyPairSync } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { runCanvass } from "../src/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "canvass-secrets-"));
  return () => rm(folder, { recursive: true });
});

const make = (...options: string[]) => makeIn(folder, ...options);

async function makeIn(directory: string, ...options: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const write = (chunk: string) => (text += chunk);
  const code = await runCanvass(
    ["installation", "secrets", "--directory", directory, ...options],
    {},
    { out: write, err: write },
  );
  return { code, text };
}

const textOf = (name: string) => readFile(join(folder, name), "utf8");
const variablesOf = async (name: string) => parseEnv(await textOf(name));
const keys = async () => JSON.parse(await textOf("keys.json"));
const everything = async () =>
  Promise.all((await readdir(folder)).map(async (name) => [name, await textOf(name)] as const));

/** As a person edits a file. */
async function edit(name: string, change: (text: string) => string): Promise<void> {
  const text = await textOf(name);
  await chmod(join(folder, name), 0o600);
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(join(folder, name), changed);
}

async function editAll(variable: string, value: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith(".env") && variable in (await variablesOf(name)))
      await edit(name, (text) => text.replace(new RegExp(`^${variable}=.*$`, "m"), `${variable}=${value}`));
  }
}

// Node.js would try for ever to make folders below /proc.
test("a folder that cannot be made is refused", async () => {
  const { code, text } = await makeIn("/proc/canvass/secrets");
  expect([code, text]).toEqual([1, expect.stringContaining("cannot be written to /proc/canvass/secrets: ")]);
});

test("servers that files do not have are refused with every fault, and nothing is written", async () => {
  await make("--postgres", "db:5432");
  await rm(join(folder, "token.env"));
  const before = await everything();
  const { code, text } = await make("--postgres", "other:5432", "--nats", "bus:4222");
  expect(code).toBe(1);
  expect(text).toContain("Nothing was written");
  expect(text).toMatch(
    /--postgres is other:5432, but DATABASE_URL stays db:5432 in operator\.env, .*survey-migrations/,
  );
  expect(text).toMatch(/--nats is bus:4222, but NATS_URL stays nats:4222 in .*Change it there, or leave --nats out/);
  expect(await everything()).toEqual(before);
});

test("a later call creates missing secrets for the servers of the first one, even if it does not repeat them", async () => {
  await make("--postgres", "[::1]:6432", "--nats", "Bus:4333");
  const first = await textOf("token.env");
  for (const options of [[], ["--postgres", "[::1]:6432", "--nats", "Bus:4333"]]) {
    await rm(join(folder, "token.env"));
    expect((await make(...options)).text).toMatch(/wrote token\.env\n$/);
    expect(await textOf("token.env")).toBe(first);
  }
});

test("secrets that are created after a key change have the new key, and so does keys.json", async () => {
  await make();
  const { secretsKey: old, cursorKey: oldCursor } = await keys();
  const [newer, newCursor] = ["n", "c"].map((letter) => Buffer.alloc(32, letter).toString("base64"));
  await editAll("CANVASS_SECRETS_KEY", `${newer},${old}`);
  await editAll("CANVASS_CURSOR_KEY", `${newCursor},${oldCursor}`);
  expect((await make()).text).toMatch(/wrote keys\.json\n$/);
  expect(await keys()).toMatchObject({ secretsKey: `${newer},${old}`, cursorKey: `${newCursor},${oldCursor}` });
  expect(JSON.parse(await textOf("keys.json.before"))).toMatchObject({ secretsKey: old, cursorKey: oldCursor });
  await editAll("CANVASS_SECRETS_KEY", newer!);
  await make();
  await rm(join(folder, "webhook.env"));
  await make();
  expect(await variablesOf("webhook.env")).toMatchObject({ CANVASS_SECRETS_KEY: newer });
});

test("a key that was changed in only some files is refused, without showing its values", async () => {
  await make();
  const key = Buffer.alloc(32, "x").toString("base64");
  await edit("token.env", (text) => text.replace(/^CANVASS_PEER_KEY=.*$/m, `CANVASS_PEER_KEY=${key}`));
  await edit("survey.env", (text) => text.replace(/canvass_survey:[^@]+@/, "canvass_survey:changed@"));
  const before = await everything();
  const { code, text } = await make();
  expect([code, await everything()]).toEqual([1, before]);
  expect(text).toMatch(/CANVASS_PEER_KEY differs: one in gateway\.env, .*; another in token\.env\. Make them the same/);
  const places = "operator.env (CANVASS_SURVEY_DATABASE_PASSWORD); another in survey.env (DATABASE_URL)";
  expect(text).toContain(`The password of survey differs: one in ${places}`);
  for (const secret of [key, "changed", (await keys()).peerKey]) expect(text).not.toContain(secret);
});

test("half a new pair of keys is refused, a whole one taken over", async () => {
  await make();
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  await editAll("CANVASS_CALLER_PRIVATE_KEY", privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"));
  expect(await make()).toMatchObject({ code: 1, text: expect.stringContaining("Change both.") });
  const callerPublicKey = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  await editAll("CANVASS_CALLER_PUBLIC_KEY", callerPublicKey);
  expect((await make()).code).toBe(0);
  expect(await keys()).toMatchObject({ callerPublicKey });
});

test("changed passwords are kept, with any characters", async () => {
  await make();
  const password = "p@ss/ö\"'";
  await edit("operator.env", (text) => text.replace(/^(CANVASS_SURVEY_DATABASE_PASSWORD)=.*$/m, `$1=\`${password}\``));
  await edit("survey.env", (text) =>
    text.replace(/canvass_survey:[^@]+@/, `canvass_survey:${encodeURIComponent(password)}@`),
  );
  expect((await make()).code).toBe(0);
  expect((await keys()).databasePasswords).toMatchObject({ survey: password });
  const { DATABASE_URL: url } = await variablesOf("survey.env");
  await rm(join(folder, "survey.env"));
  await make();
  expect(await variablesOf("survey.env")).toMatchObject({ DATABASE_URL: url });
});

test("a password with a stray % is refused, with its position", async () => {
  await make();
  await edit("survey.env", (text) => text.replace(/canvass_survey:[^@]+@/, "canvass_survey:50%off@"));
  await editAll("NATS_URL", "nats://canvass:%ff@nats:4222");
  const before = await everything();
  const { code, text } = await make();
  expect([code, await everything()]).toEqual([1, before]);
  expect(text).toContain("Nothing was written");
  expect(text).toContain("The password in survey.env (DATABASE_URL) has a stray %. Write %25 for %.");
  expect(text).toContain("The password in token.env (NATS_URL) has a stray %");
  for (const secret of ["50%off", "%ff"]) expect(text).not.toContain(secret);
});

test("a host in other case is the same server", async () => {
  await make("--postgres", "db:5432");
  await edit("operator.env", (text) => text.replace("@db:5432", "@DB:5432"));
  await edit("survey.env", (text) => text.replace(/canvass_survey:[^@]+@/, "canvass_survey:changed@"));
  expect((await make()).text).toContain("The password of survey differs: one in operator.env");
});

test("a file of the operator that was lost is made for the server and passwords of the others", async () => {
  await make("--postgres", "db:6432");
  await edit("survey.env", (text) => text.replace(/canvass_survey:[^@]+@/, "canvass_survey:changed@"));
  await rm(join(folder, "operator.env"));
  expect((await make()).code).toBe(0);
  expect(await variablesOf("operator.env")).toMatchObject({
    DATABASE_URL: expect.stringContaining("@db:6432/"),
    CANVASS_SURVEY_DATABASE_PASSWORD: "changed",
  });
});

test.each(["a#b", "'a#b`", '"a', "`a\\n#", " a "])(
  "a password %j in a lost file of the operator is written as it was",
  async (password) => {
    await make();
    await edit("survey.env", (text) =>
      text.replace(/canvass_survey:[^@]+@/, `canvass_survey:${encodeURIComponent(password)}@`),
    );
    await rm(join(folder, "operator.env"));
    expect((await make()).code).toBe(0);
    expect(await variablesOf("operator.env")).toMatchObject({ CANVASS_SURVEY_DATABASE_PASSWORD: password });
    expect((await make()).text).toContain("has all secrets already");
  },
);

test("a password that no quotes can hold is refused", async () => {
  await make();
  await edit("survey.env", (text) => text.replace(/canvass_survey:[^@]+@/, "canvass_survey:%23%22%27%60@"));
  await rm(join(folder, "operator.env"));
  expect(await make()).toMatchObject({
    code: 1,
    text: expect.stringContaining("CANVASS_SURVEY_DATABASE_PASSWORD cannot be written"),
  });
});

test("several servers in one URL are reported as other servers", async () => {
  await make();
  await edit("survey.env", (text) => text.replace("@postgres:5432", "@h1,h2"));
  await editAll("NATS_URL", "nats://a,b");
  const { text } = await make("--postgres", "postgres:5432", "--nats", "nats:4222");
  expect(text).toContain("DATABASE_URL stays other servers in survey.env");
  expect(text).toContain("NATS_URL stays other servers in");
});

test("addresses of a person's own, of one service or of a bus with other users, stay and are followed", async () => {
  await make();
  await edit("survey.env", (text) =>
    text.replace(/^DATABASE_URL=.*$/m, "DATABASE_URL=postgresql://canvass_survey:own@db2/s"),
  );
  await editAll("NATS_URL", "nats://bob:secret@a:4222,b:4222");
  expect((await make()).text).toContain("has all secrets already");
  await rm(join(folder, "token.env"));
  expect((await make()).code).toBe(0);
  expect(await variablesOf("token.env")).toMatchObject({ NATS_URL: "nats://bob:secret@a:4222,b:4222" });
  expect((await make("--postgres", "postgres:5432")).text).toContain("DATABASE_URL stays db2:5432 in survey.env");
});

test.each([
  "db:0",
  "db:65536",
  "db:99999",
  "db",
  ":5432",
  "[::1]",
  "::1:5432",
  "[x]:5432",
  "a..b:5432",
  "u@db:5432",
  "a b:1",
])("%j is no server", async (server) => {
  const { code, text } = await make("--postgres", server, "--nats", server);
  expect([code, text.match(/but it is a host and a port such as postgres:5432/g)]).toMatchObject([2, { length: 2 }]);
  expect(await readdir(folder)).toEqual([]);
});

test.each(["[::1]:5432", "10.0.0.1:1", "postgres-rw.canvass.svc:65535", "my_db:5432"])(
  "%j is a server",
  async (server) => {
    expect((await make("--postgres", server, "--nats", server)).code).toBe(0);
    expect((await variablesOf("token.env"))["DATABASE_URL"]).toContain(`@${server}/canvass_token`);
  },
);

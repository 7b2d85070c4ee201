import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { runCanvass } from "@canvass/operator";
import { findProcesses, opsViolation } from "@canvass/operator/find-processes";
import {
  addressVariable,
  callsOf,
  CONTAINER_PORTS,
  PROCESSES,
  serviceNames,
  variablesOf,
  WORKSPACE_ROOT,
} from "@canvass/processes";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";

interface ComposeService {
  image: string;
  build?: { args: { PROCESS: string } };
  command?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  ports?: string[];
  networks: string[];
  environment?: Record<string, string>;
  secrets?: (string | { source: string; target: string })[];
  depends_on?: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
  secrets: Record<string, { file: string }>;
}

const text = readFileSync(join(WORKSPACE_ROOT, "deploy/compose/compose.yaml"), "utf8");
const compose = parse(text, { merge: true }) as Compose;
const { services } = compose;
const { version } = JSON.parse(readFileSync(join(WORKSPACE_ROOT, "packages/e2e/package.json"), "utf8")) as {
  version: string;
};
const sorted = (words: Iterable<string>): string[] => [...words].toSorted();
const sourcesOf = ({ secrets = [] }: ComposeService) =>
  secrets.map((each) => (typeof each === "string" ? each : each.source));

describe("compose.yaml", () => {
  test("follows the schema of the compose specification", async () => {
    const folder = dirname(createRequire(import.meta.url).resolve("dclint/package.json"));
    // The linter's package has the specification's schema, whose draft it names by an address that ajv does not know.
    const { $schema: _, ...schema } = JSON.parse(await readFile(join(folder, "schemas/compose.schema.json"), "utf8"));
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ services: { gateway: { imgae: "x" } } })).toBe(false);
  });

  test("has every process, the migrations of every database, the servers, and nothing else", () => {
    const owners = PROCESSES.filter(({ migrations }) => migrations).map(({ name }) => `${name}-migrations`);
    const others = ["databases", "operator", "doctor", "postgres", "nats"];
    expect(sorted(Object.keys(services))).toEqual(sorted([...PROCESSES.map(({ name }) => name), ...owners, ...others]));
  });

  test.each(PROCESSES)("gives $name its image, its calls and variables that it reads", (definition) => {
    const { name, migrations } = definition;
    const { image, build, environment = {}, ports, networks, depends_on: needs } = services[name]!;
    expect([image, build!.args.PROCESS]).toEqual([`canvass/${name}:\${CANVASS_VERSION:-${version}}`, name]);
    const { settings, secrets } = variablesOf(definition);
    const calls = callsOf(definition).map((each) => [addressVariable(each), `http://${each}:${CONTAINER_PORTS.rpc}`]);
    expect(environment).toMatchObject(Object.fromEntries(calls));
    const further = Object.keys(environment).filter((variable) => !calls.some(([called]) => called === variable));
    expect(settings).toEqual(expect.arrayContaining(further));
    expect(secrets.filter((variable) => variable in environment)).toEqual([]);
    expect(ports !== undefined).toBe(name === "gateway");
    expect(networks).toEqual(expect.arrayContaining(["rpc", "data"]));
    if (migrations) expect(needs).toEqual({ [`${name}-migrations`]: { condition: "service_completed_successfully" } });
    else expect(sorted(Object.keys(needs!))).toEqual(sorted(serviceNames));
  });

  test.each(serviceNames)("migrates the database of %s by its own image, after the databases are made", (name) => {
    const { image, command, depends_on: needs, networks } = services[`${name}-migrations`]!;
    expect([image, command, networks]).toEqual([services[name]!.image, ["migrate.ts", "migrations"], ["data"]]);
    expect(needs).toEqual({ databases: { condition: "service_completed_successfully" } });
  });

  test("asks every process by its name and operations port when it runs the doctor", async () => {
    const { image, command, networks } = services["doctor"]!;
    expect([image, networks]).toEqual([services["operator"]!.image, ["rpc"]]);
    const [main, word, option, addresses = "", ...more] = command!;
    expect([main, word, option, more]).toEqual(["main.ts", "doctor", "--ops", []]);
    expect(opsViolation(addresses)).toBeUndefined();
    const expected = PROCESSES.map(({ name }) => ({ name, url: `http://${name}:${CONTAINER_PORTS.ops}` }));
    expect(await findProcesses(addresses, {})).toEqual(expected);
    for (const { name } of PROCESSES) expect(services[name]!.networks).toContain("rpc");
  });

  test.each(Object.keys(services))("%s has no capability, a read-only root and no way to more rights", (name) => {
    const { cap_drop, read_only, security_opt, user } = services[name]!;
    expect({ cap_drop, read_only, security_opt }).toEqual({
      cap_drop: ["ALL"],
      read_only: true,
      security_opt: ["no-new-privileges:true"],
    });
    // NATS' image knows no other user than root.
    if (name !== "nats") expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  test("only processes that call others' servers reach the internet, and no server does", () => {
    const leaving = Object.entries(services).filter(([, { networks }]) => networks.includes("egress"));
    expect(leaving.map(([name]) => name)).toEqual(["token", "webhook", "delivery"]);
    expect(compose.networks).toMatchObject({ rpc: { internal: true }, data: { internal: true } });
    for (const server of ["postgres", "nats"]) expect(services[server]!.networks).toEqual(["data"]);
  });
});

describe("canvass installation secrets", () => {
  let folder: string;
  const output: string[] = [];
  const write = (line: string) => void output.push(line);
  const make = () => runCanvass(["installation", "secrets", "--directory", folder], {}, { out: write, err: write });
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "canvass-secrets-")), "secrets");
    if ((await make()) !== 0) throw new Error(output.join(""));
  });
  afterAll(() => rm(dirname(folder), { recursive: true, force: true }));
  const variablesIn = async (name: string) => parseEnv(await readFile(join(folder, name), "utf8"));

  test("writes the files that compose.yaml mounts, each for one service, and keys.json", async () => {
    const mounted = Object.values(compose.secrets).map(({ file }) => basename(file));
    expect(sorted(await readdir(folder))).toEqual(sorted([...mounted, "keys.json"]));
    expect(sorted(Object.values(services).flatMap(sourcesOf))).toEqual(
      sorted([...Object.keys(compose.secrets), "operator"]),
    );
  });

  test.each(PROCESSES)("gives $name the secrets that it needs, and none of others", async (definition) => {
    const { secrets, settings } = variablesOf(definition);
    const given = Object.keys(await variablesIn(`${definition.name}.env`));
    const optional = ["CANVASS_SMTP_URL", "CANVASS_S3_SECRET_ACCESS_KEY"];
    const made = ["NATS_URL", "CANVASS_CALLER_PUBLIC_KEY"].filter((name) => settings.includes(name));
    expect(sorted(given)).toEqual(sorted([...secrets.filter((name) => !optional.includes(name)), ...made]));
  });

  test("keeps the folder to its owner, and lets containers read the files", async () => {
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const { file } of Object.values(compose.secrets)) {
      expect((await stat(join(folder, basename(file)))).mode & 0o777).toBe(0o444);
    }
    expect((await stat(join(folder, "keys.json"))).mode & 0o777).toBe(0o600);
    expect(output.join("")).not.toContain((await variablesIn("token.env"))["CANVASS_OPERATOR_KEY"]);
  });

  test("changes nothing when it runs again, keeps people's own lines and adds what a file does not have", async () => {
    const { chmod, writeFile } = await import("node:fs/promises");
    const file = join(folder, "token.env");
    const { CANVASS_PEER_KEY: kept, CANVASS_CURSOR_KEY: lost, ...rest } = await variablesIn("token.env");
    await chmod(file, 0o600);
    const lines = Object.entries({ ...rest, CANVASS_PEER_KEY: kept, CANVASS_SMTP_URL: "smtp://mail" });
    await writeFile(file, lines.map(([name, value]) => `${name}=${value}`).join("\n"));
    expect(await make()).toBe(0);
    const again = { ...rest, CANVASS_PEER_KEY: kept, CANVASS_SMTP_URL: "smtp://mail", CANVASS_CURSOR_KEY: lost };
    expect(await variablesIn("token.env")).toEqual(again);
    expect(output.at(-1)).toMatch(/wrote token\.env\n$/);
    expect(await make()).toBe(0);
    expect(output.at(-1)).toContain("has all secrets already");
  });

  test("creates no other keys next to secrets whose keys.json is elsewhere", async () => {
    const { rename } = await import("node:fs/promises");
    const [keys, safe] = [join(folder, "keys.json"), join(dirname(folder), "keys.json")];
    await rename(keys, safe);
    expect(await make()).toBe(1);
    expect(output.at(-1)).toContain("Put it back, or name an empty folder");
    expect(await readdir(folder)).not.toContain("keys.json");
    await rename(safe, keys);
    expect(await make()).toBe(0);
  });

  test.each([".gitignore", ".dockerignore"])("folders that secrets are written to are left out by %s", async (file) => {
    const lines = (await readFile(join(WORKSPACE_ROOT, file), "utf8")).split("\n");
    const folders = lines.map((line) => line.replace(/^\/|\/$/g, ""));
    expect(folders).toEqual(expect.arrayContaining(["secrets", "deploy/compose/secrets", "deploy/kubernetes/secrets"]));
  });
});

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { PROCESSES, serviceNames } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { developmentToolPattern } from "../src/licences/development-tools.ts";
import { createApiClient, verifyingReceiver } from "../src/index.ts";
import {
  createWorkspaceToken,
  migrateAll,
  prepareInstallation,
  startContainers,
  writeReceiverAuthority,
} from "./images/container-system.ts";
import type { Installation } from "./images/container-system.ts";
import { assembleTrees, type ImageTrees } from "./images/image-trees.ts";
import { packagesIn, programMegabytes } from "./images/image-contents.ts";
import { canContain, runImage, endContainersLater } from "./images/run-image.ts";
import { completeRespondent, publishSmallSurvey } from "./small-survey.ts";

/** Of the program with its packages, without Node (its program is 143 MB). A new package shows here. */
const largestMegabytes = {
  gateway: 90,
  token: 40,
  survey: 42,
  response: 50,
  distribution: 45,
  webhook: 40,
  delivery: 40,
  operator: 42,
};
const names = [...PROCESSES.map(({ name }) => name), "operator"];

const isAble = { skip: !canContain, meta: { skipReason: "containers need root on Linux" } };

describe("images", isAble, () => {
  let folder: string;
  let trees: ImageTrees;
  let installation: Installation;
  const stack = new AsyncDisposableStack();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "canvass-installation-"));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    stack.use(await endContainersLater());
    [trees, installation] = await Promise.all([assembleTrees(names), prepareInstallation(folder)]);
    stack.use(trees);
    stack.use(installation);
  }, 600_000);
  afterAll(() => stack.disposeAsync(), 300_000);

  test("hold neither a shell nor a package manager, and only the process's own packages", async () => {
    for (const name of names) {
      const tree = trees.folderOf(name);
      const folders = (await readdir(tree)).filter((folder) => !folder.startsWith("lib"));
      expect(folders).toEqual(["app", "data", "etc", "proc", "run", "tmp", "usr"]);
      expect(await readdir(join(tree, "usr/local/bin"))).toEqual(["node"]);
    }
    expect(await readdir(join(trees.folderOf("survey"), "app/services"))).toEqual(["survey"]);
  });

  test.each(Object.entries(largestMegabytes))("%s holds no tool of development, and at most %i MB", (name, most) => {
    const packages = packagesIn(trees.folderOf(name));
    expect(packages).toContain("@canvass/proto");
    const tools = packages.filter((each) => developmentToolPattern.test(each));
    expect(tools).toEqual(name === "operator" ? ["@canvass/operator", "@canvass/provisioning"] : []);
    expect(programMegabytes(trees.folderOf(name))).toBeLessThan(most);
  });

  test("run as an unprivileged process 1 that can write nothing but its volumes", async () => {
    const script = `const { existsSync, writeFileSync } = require("node:fs");
      const tryTo = (path) => { try { writeFileSync(path, ""); return "written"; } catch ({ code }) { return code; } };
      console.log(JSON.stringify([process.pid, process.getuid(), process.cwd(), tryTo("/app/x"), tryTo("/etc/x"), tryTo("/tmp/x"), existsSync("/bin/sh")]))`;
    await using container = runImage(trees.folderOf("survey"), { args: ["-e", script] });
    expect(await container.ended, container.output()).toBe(0);
    expect(JSON.parse(container.output().trim().split("\n").at(-1)!)).toEqual([
      1,
      65_532,
      "/app",
      "EROFS",
      "EROFS",
      "written",
      false,
    ]);
  });

  test("report all missing settings at once", async () => {
    await using container = runImage(trees.folderOf("survey"));
    expect(await container.ended).toBe(78);
    expect(container.output()).toMatch(/CANVASS_PEER_KEY .*DATABASE_URL .*CANVASS_RESPONSE_URL/);
  });

  test("migrate their databases as a user of no other rights, twice at once", async () => {
    const outputs = await migrateAll(trees, installation);
    expect(outputs.filter((line) => line.startsWith("applied "))).toHaveLength(serviceNames.length);
    expect(outputs.filter((line) => line === "the database is up to date\n")).toHaveLength(serviceNames.length);
  }, 600_000);

  test("end a waiting migration on request", async () => {
    const name = "survey-migrations.env";
    const { DATABASE_URL: url } = parseEnv(await readFile(installation.secret(name), "utf8"));
    const holder = new Client({ connectionString: url! });
    await holder.connect();
    await using _ = { [Symbol.asyncDispose]: () => holder.end() };
    // The lock of Prisma, for which migrations wait.
    await holder.query("SELECT pg_advisory_lock(72707369)");
    await using container = runImage(trees.folderOf("survey"), {
      args: ["migrate.ts", "migrations"],
      files: { "/run/secrets/canvass.env": installation.secret(name) },
    });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'canvass-migrate'";
    await waitFor(async () => (await holder.query(waiting)).rowCount === 1, { describe: "the migration" });
    await container.stop();
    expect([await container.ended, container.output()]).toEqual([143, ""]);
  });

  test("go from a survey to a signed webhook, and stop on request", async () => {
    await using receiver = await verifyingReceiver();
    const authority = await writeReceiverAuthority(folder, receiver.ca);
    const webhooks = {
      CANVASS_WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
      CANVASS_WEBHOOK_CA_FILE: "/run/receiver-ca.pem",
    };
    await using system = await startContainers(trees, installation, webhooks, { "/run/receiver-ca.pem": authority });
    const token = await createWorkspaceToken(trees, installation, system);
    await using api = createApiClient(`${system.publicUrl}/api/v1`, token);
    const survey = await publishSmallSurvey(api);
    const { data } = await api.post("/event-subscriptions", { name: "CRM", url: receiver.url });
    receiver.trust(data.secret);
    const respondentId = await completeRespondent(api, survey);
    await waitFor(() => receiver.verified.size === 1, { describe: "the webhook", timeoutMs: 30_000 });
    expect([...receiver.events.values()]).toMatchObject([
      { type: "response.completed", data: { response_id: respondentId } },
    ]);
    const guides = ["/docs/guides/first-survey", "/docs/search.json", "/docs/js/search.js", "/docs/js/minisearch.js"];
    for (const page of ["/docs/", "/docs/webhooks", ...guides, "/api/v1/openapi.json", "/api/v1/health"]) {
      expect([page, (await fetch(system.publicUrl + page)).status]).toEqual([page, 200]);
    }
    const metrics = await (await fetch(`${system.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^canvass_rate_limits_shared(\{.*\})? 1$/m);
    for (const [name, container] of system.containers) {
      await container.stop();
      expect([name, await container.ended, container.output()]).toMatchObject([name, 0, /"reason":"SIGTERM"/]);
    }
  }, 600_000);
});

import { preparedInProcess } from "@canvass/dev-env/in-process";
import { PROCESSES, serviceNames, WORKSPACE_ROOT } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import { mkdir, mkdtempDisposable, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { insist } from "../src/insist.ts";
import { followCompletions } from "./completions.ts";
import { checkOut, findFormerVersion } from "./former-version.ts";
import { startTestSystem } from "./test-system.ts";

const former = await findFormerVersion();
const names = PROCESSES.map(({ name }) => name);
/**
 * Survey and distribution before response, to which they push; the gateway last (deploy/runbooks/upgrade.md). The way
 * back is the reverse.
 */
const upgradeOrder = [
  "survey",
  "distribution",
  ...serviceNames.filter((name) => !/survey|distribution/.test(name)),
  "gateway",
];

/** Links each process to its program of `root`'s version. `use` links one to its program of another version. */
async function installPrograms(folder: string, root: string) {
  const current = join(folder, "current");
  const use = async (name: string, usedRoot: string): Promise<void> => {
    const { main } = PROCESSES.find((each) => each.name === name)!;
    await rm(join(current, name), { force: true });
    await symlink(join(usedRoot, dirname(dirname(main))), join(current, name));
  };
  await mkdir(current);
  for (const name of names) await use(name, root);
  const processes = PROCESSES.map((each) => ({ ...each, main: join(current, each.name, "src/main.ts") }));
  return { processes, use };
}

/** Prepares databases with the tables of `root`'s version. `migrate` brings them to this version's while processes run. */
function tablesOf(root: string) {
  const { prepareDatabases } = preparedInProcess;
  let migrate: () => Promise<unknown>;
  return {
    prepareDatabases: async (...[adminUrl, databases]: Parameters<typeof prepareDatabases>) => {
      migrate = () => prepareDatabases(adminUrl, databases);
      const dirOf = (dir: string): string => relative(WORKSPACE_ROOT, join(root, dir));
      const formerDatabases = databases.map((each) => ({ ...each, migrationsDir: dirOf(each.migrationsDir) }));
      return prepareDatabases(adminUrl, formerDatabases);
    },
    migrate: () => migrate(),
  };
}

const skipReason = "the commit of the last release is not here: clone with history";

describe("an installation of two versions", { skip: former === undefined, meta: { skipReason } }, () => {
  test(
    "is migrated while the former version runs, then each process is replaced and goes back, and the whole journey holds at every step",
    { timeout: 900_000 },
    async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-versions-"));
      const formerRoot = join(folder.path, "former");
      await checkOut(former!, formerRoot);
      const { processes, use } = await installPrograms(folder.path, formerRoot);
      const tables = tablesOf(formerRoot);
      await using demo = await startTestSystem({ processes, prepareDatabases: tables.prepareDatabases });
      const { api, system } = demo;
      const completions = await followCompletions(demo);

      const change = async (name: string, root: string): Promise<void> => {
        await system.stop(name);
        await use(name, root);
        await system.start(name);
      };
      let completed = 0;
      const walk = async (mix: string): Promise<void> => {
        completed += (await completions.complete(8)).length;
        await completions.expectAllArrived();
        const path = `/response/surveys/${completions.survey.surveyId}/aggregation`;
        const isCounted = async () => {
          const { data } = await api.call("GET", path);
          return data?.respondentStats.totalCompleted === completed;
        };
        await waitFor(isCounted, { describe: `every completion in the results while ${mix}` });
        expect((await insist(api, "/surveys", { name: mix })).status, mix).toBe(201);
      };

      await walk("all is of the former version");
      await tables.migrate();
      await walk("the tables are of this version and all processes of the former one");
      for (const name of upgradeOrder) {
        await change(name, WORKSPACE_ROOT);
        await walk(`${name} and those before it are of this version`);
      }
      for (const name of upgradeOrder.toReversed()) {
        await change(name, formerRoot);
        await walk(`${name} and those before it are of the former version again`);
      }
    },
  );
});

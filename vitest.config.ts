import { configDefaults, defineConfig, type Plugin, type TestProjectInlineConfiguration } from "vitest/config";
import FileOrder from "./packages/testing/src/file-order.ts";

const folders = "{gateway,services/*,packages/*}";

const project = (
  name: string,
  test: { include: string[]; exclude?: string[]; retry?: number },
): TestProjectInlineConfiguration => ({ extends: true, test: { name, ...test } });

/** Packages resolve as in production: Vite adds the condition "development", and lists of a configuration are only joined. */
const asInProduction: Plugin = {
  name: "as-in-production",
  configResolved: ({ ssr }) => void (ssr.resolve = { ...ssr.resolve, conditions: ["node"] }),
};

export default defineConfig({
  plugins: [asInProduction],
  test: {
    projects: [
      // No servers.
      project("unit", { include: [`${folders}/src/**/*.test.ts`] }),
      // One service or package over real servers.
      project("service", {
        include: [`${folders}/test/**/*.test.ts`],
        exclude: [...configDefaults.exclude, "packages/e2e/**"],
      }),
      // All processes. One unsteady test must not stop a change: it runs again, and the end of the run names it.
      project("system", { include: ["packages/e2e/test/**/*.test.ts"], retry: 1 }),
      // What needs a quiet machine or much time: `pnpm test-nightly`.
      project("nightly", { include: [`${folders}/{src,test}/**/*.nightly.ts`] }),
    ],
    globalSetup: ["packages/testing/src/global-setup.ts"],
    setupFiles: ["packages/testing/src/property-seed.ts"],
    reporters: ["default", "./packages/testing/src/closing-line.ts"],
    // Patience, which a machine of a quarter of the usual speed does not exhaust.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    // Node runs the TypeScript of tests itself, as it does in production. Nothing needs Vite: modules are not mocked.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Test files of one worker share what they import: loading it anew took a third of the time.
    isolate: false,
    // Whole-system tests wait half of their time: two cores carry three files at once; four made tests unsteady.
    maxWorkers: 3,
    // Collecting garbage took a fifth of the workers' time while their heaps grew. Larger young generations hold event loops for longer than tests allow.
    execArgv: ["--initial-heap-size=1024", "--min-semi-space-size=16", "--max-semi-space-size=16"],
    sequence: { sequencer: FileOrder },
  },
});

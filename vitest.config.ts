import { defineConfig } from "vitest/config";
import LongestFirst from "./packages/testing/src/longest-first.ts";

export default defineConfig({
  test: {
    include: ["{gateway,services/*,packages/*}/{src,test}/**/*.test.ts"],
    globalSetup: ["packages/testing/src/global-setup.ts"],
    setupFiles: ["packages/testing/src/property-seed.ts"],
    reporters: ["default", "./packages/testing/src/closing-line.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One unsteady test of thousands must not stop a change: it runs again, and the end of the run names it.
    retry: 1,
    // As patient as waitFor.
    expect: { poll: { timeout: 20_000 } },
    // Test files of one worker share what they import: loading it anew took a third of the time.
    isolate: false,
    // Whole-system tests wait half of their time: two cores carry three files at once; four made tests unsteady.
    maxWorkers: 3,
    // Collecting garbage took a fifth of the workers' time while their heaps grew. Larger young generations hold event loops for longer than tests allow.
    execArgv: ["--initial-heap-size=1024", "--min-semi-space-size=16", "--max-semi-space-size=16"],
    sequence: { sequencer: LongestFirst },
  },
});

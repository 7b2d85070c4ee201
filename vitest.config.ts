import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{gateway,services/*,packages/*}/{src,test}/**/*.test.ts"],
    globalSetup: ["packages/testing/src/global-setup.ts"],
    setupFiles: ["packages/testing/src/property-seed.ts"],
    reporters: ["default", "./packages/testing/src/closing-line.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Whole-system tests start real servers; two cores carry two files at a time.
    maxWorkers: 2,
  },
});

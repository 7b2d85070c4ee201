import { fileURLToPath } from "node:url";
import type { InlineConfig } from "vite";
import { leaveOut } from "./leave-out.ts";
import { leaveOutStyles } from "./leave-out-styles.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the page with Preact instead of React, and with stubs for modules that the browser does not need. */
export const bundle: InlineConfig = {
  root: file("../.."),
  configFile: false,
  logLevel: "warn",
  base: "/s/",
  plugins: [leaveOut()],
  css: { postcss: { plugins: [leaveOutStyles] } },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  resolve: {
    alias: [
      { find: /^react(-dom)?$/, replacement: "preact/compat" },
      { find: /^typebox(\/schema)?$/, replacement: file("./schemas.ts") },
      { find: "node:crypto", replacement: file("./no-crypto.ts") },
      { find: /^marked$/, replacement: file("./formatting.ts") },
      { find: /^marked-engine$/, replacement: fileURLToPath(import.meta.resolve("marked")) },
      { find: /^re2js$/, replacement: file("./patterns.ts") },
      { find: /^re2js-engine$/, replacement: fileURLToPath(import.meta.resolve("re2js")) },
    ],
  },
  build: {
    outDir: file("../../gen"),
    emptyOutDir: true,
    manifest: "manifest.json",
    modulePreload: { polyfill: false },
    target: ["chrome103", "firefox104", "safari16"],
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { input: file("../page/main.tsx"), checks: { pluginTimings: false } },
  },
};

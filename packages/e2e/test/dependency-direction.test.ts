import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { expect, test } from "vitest";
import { packagesOf, testPackages, typesOnly } from "./directions/layers.ts";
import { refusedImport } from "./directions/refused-import.ts";

const importOf = /(?:\bfrom\s*|\b(?:import|require)\s*\(?\s*|\bvi\.mock\(\s*)["']([^"'\n]+)["']/g;

test("every import keeps the direction", () => {
  const files = globSync("{gateway,services/*,packages/*}/{src,test,test-kit}/**/*.{ts,tsx}", { cwd: WORKSPACE_ROOT });
  const refused = files.flatMap((file) =>
    [...readFileSync(join(WORKSPACE_ROOT, file), "utf8").matchAll(importOf)].flatMap(([, specifier = ""]) => {
      const reason = refusedImport(file, specifier);
      return reason === undefined ? [] : `${file} imports ${specifier}: ${reason}`;
    }),
  );
  expect(refused).toEqual([]);
  expect(files.length).toBeGreaterThan(500);
});

test("a context imports types alone", () => {
  const contexts = globSync(`{gateway,services/*}/src/${typesOnly}`, { cwd: WORKSPACE_ROOT });
  const values = contexts.flatMap((file) =>
    [...readFileSync(join(WORKSPACE_ROOT, file), "utf8").matchAll(/^(?:import(?! type )|export .*\bfrom\b).*/gm)].map(
      ([line]) => `${file}: ${line}`,
    ),
  );
  expect(values).toEqual([]);
  expect(contexts.length).toBe(7);
});

test("every package has its place in the table", () => {
  const named = [...Object.keys(packagesOf), ...testPackages.map((name) => `packages/${name}`)];
  const folders = globSync("packages/*/package.json", { cwd: WORKSPACE_ROOT }).map((path) => path.slice(0, -13));
  expect(named.filter((name) => name.startsWith("packages/")).toSorted()).toEqual(folders.toSorted());
});

type Dependencies = Record<string, string>;
type Manifest = { name: string; dependencies?: Dependencies; devDependencies?: Dependencies };

test("the packages depend on each other without a circle, in development too", () => {
  const manifests = globSync("{gateway,services/*,packages/*}/package.json", { cwd: WORKSPACE_ROOT }).map(
    (path) => JSON.parse(readFileSync(join(WORKSPACE_ROOT, path), "utf8")) as Manifest,
  );
  const needs = new Map(
    manifests.map(({ name, dependencies, devDependencies }) => [
      name,
      Object.keys({ ...dependencies, ...devDependencies }),
    ]),
  );
  const reach = (name: string, found = new Set<string>()): Set<string> => {
    for (const need of needs.get(name) ?? []) if (!found.has(need)) reach(need, found.add(need));
    return found;
  };
  expect([...needs.keys()].filter((name) => reach(name).has(name))).toEqual([]);
  expect(needs.size).toBeGreaterThan(25);
});

const refusals: [file: string, specifier: string][] = [
  // Processes import each other neither by path nor by name.
  ["services/survey/src/rpc/probe.ts", "../../../response/src/config.ts"],
  ["gateway/src/routes/probe.ts", "../../../services/token/src/config.ts"],
  ["services/survey/test/probe.test.ts", "@canvass/token-service"],
  ["packages/e2e/test/probe.test.ts", "@canvass/gateway"],
  // The line of packages.
  ["packages/inputs/src/probe.ts", "@canvass/access"],
  ["packages/telemetry/src/probe.ts", "@canvass/rpc"],
  ["packages/rpc/src/probe.ts", "@canvass/events"],
  ["packages/processes/src/probe.ts", "@canvass/events"],
  ["packages/postgres/src/probe.ts", "@canvass/jobs"],
  ["packages/events/src/probe.ts", "@canvass/service"],
  ["packages/events/src/probe.ts", "../../service/src/index.ts"],
  ["packages/webhook-sender/src/probe.ts", "@canvass/postgres"],
  ["packages/processes/src/probe.ts", "@canvass/service"],
  ["packages/provisioning/src/probe.ts", "@canvass/operator"],
  ["packages/operator/src/probe.ts", "@canvass/dev-env/servers"],
  ["packages/unnamed/src/probe.ts", "@canvass/errors"],
  // Production code and tests.
  ["packages/events/src/probe.ts", "@canvass/testing"],
  ["packages/service/src/probe.ts", "@canvass/testing/https-receiver"],
  ["packages/service/src/probe.ts", "../test-kit/index.ts"],
  ["packages/operator/src/probe.ts", "@canvass/rpc/testing"],
  ["packages/dev-env/src/probe.ts", "@canvass/e2e"],
  ["services/token/src/rpc/probe.ts", "../../test/probe.ts"],
  ["services/token/src/rpc/probe.ts", "./some.test.ts"],
  ["services/token/src/rpc/probe.ts", "vitest"],
  // What starts a development system.
  ["gateway/src/probe.ts", "@canvass/dev-env"],
  ["gateway/src/plugins/probe.ts", "@canvass/dev-env/servers"],
  ["gateway/src/plugins/probe.ts", "@canvass/postgres"],
  ["services/survey/src/rpc/probe.ts", "@canvass/dev-env/processes"],
  ["services/survey/src/rpc/probe.ts", "@canvass/dev-env"],
  // The domain is pure.
  ...[
    "node:child_process",
    "node:dns",
    "node:dns/promises",
    "node:fs",
    "fs",
    "pg",
    "../application/mail/sending/mailer.ts",
    "@canvass/service",
    "@canvass/proto/token",
    "@canvass/webhook-sender",
    "../storage/people.ts",
    "../context.ts",
    "../../gen/prisma/client.ts",
  ].map((specifier): [string, string] => ["services/token/src/domain/probe.ts", specifier]),
  // Layers of a service.
  ["services/token/src/storage/probe.ts", "../rpc/probe.ts"],
  ["services/token/src/application/mail/probe.ts", "../../consumers/queue-mails.ts"],
  ["services/token/src/rpc/probe.ts", "../service.ts"],
  ["services/token/src/consumers/probe.ts", "../rpc/probe.ts"],
  ["services/response/src/application/results/probe.ts", "../../rpc/get-results.ts"],
  ["services/response/src/storage/results/probe.ts", "../../application/results/collect-results.ts"],
  ["services/response/src/storage/probe.ts", "../unnamed/probe.ts"],
  ["services/response/src/context.ts", "./unnamed/probe.ts"],
  ["services/response/src/storage/probe.ts", "../context.ts"],
  ["services/response/src/application/probe.ts", "../config.ts"],
  // Layers of the gateway.
  ["gateway/src/clients/probe.ts", "../batches/survey-reader.ts"],
  ["gateway/src/clients/probe.ts", "../plugins/authentication/authentication.ts"],
  ["gateway/src/batches/probe.ts", "../plugins/authentication/identity-cache.ts"],
  ["gateway/src/plugins/guards/probe.ts", "../../routes/api.ts"],
  ["gateway/src/client-address/probe.ts", "../clients/rpc-options.ts"],
  ["gateway/src/report/probe.ts", "../client-address/client-network.ts"],
  ["gateway/src/config.ts", "./plugins/rate-limits/limits.ts"],
  ["gateway/src/routes/probe.ts", "../app.ts"],
];

test.each(refusals)("%s does not import %s", (file, specifier) => {
  expect(refusedImport(file, specifier)).toBeTypeOf("string");
});

test.each([
  ["services/token/src/domain/probe.ts", "@canvass/inputs"],
  ["services/token/src/domain/probe.ts", "./other.ts"],
  ["services/token/src/storage/probe.ts", "../../gen/prisma/client.ts"],
  ["services/token/src/rpc/probe.test.ts", "@canvass/testing"],
  ["services/token/test/probe.ts", "@canvass/service/testing"],
  ["services/token/src/context.ts", "./rpc/probe.ts"],
  ["gateway/src/routes/surveys/probe.ts", "../../plugins/responses/envelope.ts"],
  ["packages/events/src/probe.ts", "@canvass/jobs"],
  ["packages/bench/src/probe.ts", "@canvass/testing/https-receiver"],
])("%s imports %s", (file, specifier) => {
  expect(refusedImport(file, specifier)).toBeUndefined();
});

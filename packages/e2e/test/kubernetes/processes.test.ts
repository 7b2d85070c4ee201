import { CONTAINER_PORTS, PROCESSES, variablesOf, WORKSPACE_ROOT, type ProcessDefinition } from "@canvass/processes";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { containersOf, podTemplateOf, type Manifest } from "../../src/kubernetes/manifest.ts";
import { splitImage } from "../../src/kubernetes/transformers.ts";
import { installations, ofKind, production } from "./installations.ts";
import { readSettings } from "./settings-file.ts";

const deploymentOf = (manifests: readonly Manifest[], name: string): Manifest =>
  ofKind(manifests, "Deployment").find(({ metadata }) => metadata.name === name)!;

describe.each(PROCESSES.map((definition) => [definition.name, definition] as const))("%s", (name, definition) => {
  const { addresses } = variablesOf(definition);

  test("its address variables lead to Services", () => {
    const services = ofKind(production, "Service").map(({ metadata }) => `http://${metadata.name}:9000`);
    const values = readSettings(name).flatMap(([variable, value]) => (addresses.includes(variable) ? value : []));
    expect(services).toEqual(expect.arrayContaining(values));
  });

  test("its image has the version of its package, and it has the ports of the image", () => {
    const { version } = packageOf(definition);
    for (const [, manifests] of installations) {
      const [container] = containersOf(deploymentOf(manifests, name));
      expect(splitImage(container!.image).tag).toBe(version);
      expect(splitImage(container!.image).name).toMatch(new RegExp(`^(registry\\.example\\.com/)?canvass/${name}$`));
      const port: object =
        name === "gateway"
          ? { name: "http", containerPort: CONTAINER_PORTS.http }
          : { name: "rpc", containerPort: CONTAINER_PORTS.rpc };
      const ports = [port, { name: "ops", containerPort: CONTAINER_PORTS.ops }];
      expect(new Set(container!.ports)).toEqual(new Set(ports));
      expect(container!.envFrom).toContainEqual({ secretRef: { name: `canvass-${name}` } });
    }
  });

  test("its migrations are a Job of the same image, with the version in its name", () => {
    const { version } = packageOf(definition);
    const job = ofKind(production, "Job").find(({ metadata }) => metadata.name.startsWith(`${name}-migration-`));
    if (!definition.migrations) return expect(job).toBeUndefined();
    expect(job!.metadata.name).toBe(`${name}-migration-${version.replaceAll(".", "-")}`);
    expect(containersOf(job!)).toMatchObject([
      {
        image: containersOf(deploymentOf(production, name))[0]!.image,
        args: ["migrate.ts", "migrations"],
        envFrom: [{ secretRef: { name: `canvass-${name}-migrations` } }],
      },
    ]);
  });
});

test("databases are created by a Job of the operator's image, with the version in its name", () => {
  const { version } = packageOf({ main: "packages/operator/src/index.ts" });
  const job = ofKind(production, "Job").find(({ metadata }) => metadata.name.startsWith("databases-"))!;
  expect(job.metadata.name).toBe(`databases-${version.replaceAll(".", "-")}`);
  expect(containersOf(job)).toMatchObject([
    {
      image: `registry.example.com/canvass/operator:${version}`,
      args: ["main.ts", "installation", "databases"],
      envFrom: [{ secretRef: { name: "canvass-operator" } }],
    },
  ]);
});

describe.each(installations)("%s", (_, manifests) => {
  test("variables that manifests set are read by the process", () => {
    for (const definition of PROCESSES) {
      const { addresses, settings } = variablesOf(definition);
      const [container] = containersOf(deploymentOf(manifests, definition.name));
      const set = [
        ...Object.keys(configOf(manifests, definition.name)),
        ...(container!.env ?? []).map(({ name }) => name),
      ];
      expect([...addresses, ...settings]).toEqual(expect.arrayContaining(set));
    }
  });

  test("there are images of the processes and few others", () => {
    const own = [...PROCESSES.map(({ name }) => name), "operator"].map((name) => `canvass/${name}`);
    const others = ["postgres", "nats", "otel/opentelemetry-collector"];
    const images = manifests.flatMap(containersOf).map(({ image }) => splitImage(image));
    const named = images.map(({ name }) => name.replace(/^registry\.example\.com\//, ""));
    expect([...own, ...others]).toEqual(expect.arrayContaining(named));
    expect(named).toEqual(expect.arrayContaining(own));
    expect(images.filter(({ tag }) => !tag || tag === "latest")).toEqual([]);
  });

  test("pods refer to the Secrets that README.md creates", () => {
    const made = [...PROCESSES.map(({ name }) => name), ...databases.map((name) => `${name}-migrations`)];
    const known = [...made, "operator", "postgres", "nats", "tls"].map((name) => `canvass-${name}`);
    expect(known).toEqual(expect.arrayContaining(manifests.flatMap(secretsOf)));
  });
});

test("with TLS every address is https", () => {
  const [, manifests] = installations.find(([name]) => name === "base with tls")!;
  for (const definition of PROCESSES) {
    const data = configOf(manifests, definition.name);
    const expected = variablesOf(definition).addresses.map((name) => data[name]!.replace(/^http:/, "https:"));
    expect(variablesOf(definition).addresses.map((name) => data[name])).toEqual(expected);
  }
});

const databases = PROCESSES.filter(({ migrations }) => migrations).map(({ name }) => name);

function secretsOf(manifest: Manifest): string[] {
  const volumes = (podTemplateOf(manifest)?.spec["volumes"] ?? []) as { secret?: { secretName: string } }[];
  const inPods = containersOf(manifest).flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
  ]);
  return [...inPods, ...volumes.flatMap(({ secret }) => secret?.secretName ?? [])];
}

/** What a process gets from its ConfigMap. */
function configOf(manifests: readonly Manifest[], name: string): Record<string, string> {
  const [container] = containersOf(deploymentOf(manifests, name));
  const wanted = container!.envFrom!.find(({ configMapRef }) => configMapRef)!.configMapRef!.name;
  return ofKind(manifests, "ConfigMap").find(({ metadata }) => metadata.name === wanted)!["data"] as Record<
    string,
    string
  >;
}

const folderOf = ({ main }: Pick<ProcessDefinition, "main">): string => join(WORKSPACE_ROOT, dirname(dirname(main)));

function packageOf(definition: Pick<ProcessDefinition, "main">): { version: string } {
  return JSON.parse(readFileSync(join(folderOf(definition), "package.json"), "utf8")) as { version: string };
}

test("an Ingress lets files of respondents through, with their envelope", () => {
  const [, manifests] = installations.find(([name]) => name.endsWith("ingress"))!;
  const { annotations = {} } = ofKind(manifests, "Ingress")[0]!.metadata;
  const [, megabytes] = readSettings("response").find(([name]) => name === "CANVASS_FILE_MB")!;
  expect(annotations["nginx.ingress.kubernetes.io/proxy-body-size"]).toBe(`${Number(megabytes) + 1}m`);
});

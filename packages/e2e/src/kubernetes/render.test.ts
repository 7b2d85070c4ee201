import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseManifests, type Manifest } from "./manifest.ts";
import { render } from "./render.ts";

const fixture = join(import.meta.dirname, "../../test/kubernetes/fixture");
const byName = (manifests: Manifest[]): Record<string, Manifest> =>
  Object.fromEntries(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));

test("renders as Kustomize does: expected.yaml is the output of kustomize 5.7.1", () => {
  const expected = parseManifests(readFileSync(join(fixture, "expected.yaml"), "utf8"));
  expect(byName(render(join(fixture, "overlay")))).toEqual(byName(expected));
});

test("a field that is not known, a patch of nothing and an object twice are errors", () => {
  const base = join(fixture, "base");
  expect(() => render(base, { resources: ["web.yaml", "web.yaml"] })).toThrow("Deployment web is there already");
  const patch = "{ apiVersion: v1, kind: Service, metadata: { name: other } }";
  expect(() => render(base, { resources: ["web.yaml"], patches: [{ patch }] })).toThrow("no object for the patch");
  expect(() => render(join(fixture, "unknown"))).toThrow("does not know namePrefix");
});

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { eventsOf, PROCESSES, variablesOf, WORKSPACE_ROOT } from "./index.ts";
import type { ProcessDefinition } from "./index.ts";

const read = (path: string): string => readFileSync(join(WORKSPACE_ROOT, path), "utf8");
const sorted = (words: Iterable<string>): string[] => [...new Set(words)].toSorted();
const folderOf = ({ main }: ProcessDefinition): string => dirname(dirname(main));

test("the table's programs and migrations exist", () => {
  const paths = PROCESSES.flatMap(({ main, migrations }) => [main, ...(migrations ? [migrations] : [])]);
  expect(paths.filter((path) => !existsSync(join(WORKSPACE_ROOT, path)))).toEqual([]);
});

test.each(PROCESSES.map((definition) => [definition.name, definition] as const))(
  "%s reads exactly the variables of the table",
  async (_, definition) => {
    const { secrets, addresses, settings } = variablesOf(definition);
    expect(await variablesRead(definition)).toEqual(sorted([...secrets, ...addresses, ...settings]));
    expect(secrets.filter((name) => addresses.includes(name) || settings.includes(name))).toEqual([]);
  },
);

/** Variables that the process's `read…Config` reads. */
async function variablesRead(definition: ProcessDefinition): Promise<string[]> {
  const config = (await import(join(WORKSPACE_ROOT, folderOf(definition), "src/config.ts"))) as Record<string, unknown>;
  const [, readConfig] = Object.entries(config).find(([name]) => /^read\w+Config$/.test(name))!;
  const asked = new Set<string>();
  const environment = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
  expect(() => (readConfig as (environment: object) => unknown)(environment)).toThrow("missing or invalid environment");
  return sorted(asked);
}

const diagram = /```mermaid\n([^]*?)```/.exec(read("README.md"))![1]!;

/** Arrows of the README's diagram: `a & b -- label --> c & d`. */
function arrows(pattern: RegExp): [from: string[], to: string[]][] {
  return [...diagram.matchAll(pattern)].map(([, from, to]) => [from!.split(" & "), to!.split(" & ")]);
}
const endsOf = (pattern: RegExp, name: string): string[] =>
  sorted(arrows(pattern).flatMap(([from, to]) => (from.includes(name) ? to : [])));

test.each(PROCESSES)("the README draws what $name asks, publishes, consumes and owns", ({ name, asks, migrations }) => {
  const { publishes, consumes } = eventsOf(name);
  expect(endsOf(/^ +([\w &]+) -- (?:RPC|asks) --> ([\w &]+)$/gm, name)).toEqual(sorted(asks));
  expect(endsOf(/^ +([\w &]+) -\. (events) \.-> bus/gm, name).length > 0).toBe(publishes.length > 0);
  expect(endsOf(/^ +(bus) -\.-> ([\w &]+)$/gm, "bus").includes(name)).toBe(consumes.length > 0);
  expect(endsOf(/^ +(\w+) --- (\w+)\[\(/gm, name)).toEqual(migrations ? [`${name}Db`] : []);
});

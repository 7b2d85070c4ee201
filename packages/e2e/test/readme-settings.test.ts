import { sharedVariables, PROCESSES, variablesOf, WORKSPACE_ROOT, type ProcessDefinition } from "@canvass/processes";
import type { Variable } from "@canvass/telemetry";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { settingsOf } from "./settings-of.ts";

const shared = new Set([...sharedVariables.secrets, ...sharedVariables.settings]);
const header = "| variable | default | what it is |\n|---|---|---|\n";

function row({ name, description, default: value, example, isRequired }: Variable, secrets: string[]): string {
  const shown = isRequired ? "required" : value ? `\`${value}\`` : "none";
  const about = example === undefined ? description : `${description}, such as \`${example}\``;
  const text = secrets.includes(name) ? `**Secret.** ${about}` : about;
  return `| \`${name}\` | ${shown} | ${text.replaceAll("|", "\\|")} |\n`;
}

test.each(PROCESSES.map((definition) => [definition.name, definition] as const))(
  "the README of %s shows the settings it reads; `vitest -u` writes the table",
  async (_, definition) => {
    await expectTable(folderOf(definition), definition, (name) => !shared.has(name));
  },
);

test("the README of the table of processes shows what every process reads; `vitest -u` writes it", async () => {
  const service = PROCESSES.find(({ name }) => name === "token")!;
  await expectTable("packages/processes", service, (name) => shared.has(name));
});

async function expectTable(folder: string, definition: ProcessDefinition, shows: (name: string) => boolean) {
  const { secrets } = variablesOf(definition);
  const shown = (await settingsOf(definition)).variables.filter(({ name }) => shows(name));
  const page = join(WORKSPACE_ROOT, folder, "README.md");
  const text = readFileSync(page, "utf8");
  expect(text).toContain(header);
  const table = header + shown.map((variable) => row(variable, secrets)).join("");
  await expect(text.replace(/\| variable \|[^]*?\n(?=\n)/, () => table)).toMatchFileSnapshot(page);
}

const folderOf = ({ main }: ProcessDefinition): string => dirname(dirname(main));

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addressVariable, sharedVariables, serviceNames, variablesOf } from "@canvass/processes";
import type { ProcessDefinition } from "@canvass/processes";
import type { Variable } from "@canvass/telemetry";
import { settingsOf } from "../settings-of.ts";
import { DEPLOY } from "./installations.ts";

/** Set by the image. */
const ofImage = ["HOST", "PORT", "RPC_HOST", "RPC_PORT", "OPS_HOST", "OPS_PORT"].map((name) => `CANVASS_${name}`);
/** Not secret by themselves, but made together with the secrets. */
const madeWithSecrets = ["CANVASS_CALLER_PUBLIC_KEY", "NATS_URL"];
const addresses = new Map<string, string>(serviceNames.map((name) => [addressVariable(name), `http://${name}:9000`]));

export const settingsPath = (name: string): string => join(DEPLOY, "base", name, "settings.env");

/** The settings.env of a process: addresses, and its own settings with their defaults or examples. */
export async function renderSettings(definition: ProcessDefinition): Promise<string> {
  const { name } = definition;
  const { secrets, settings } = variablesOf(definition);
  const elsewhere = [...secrets, ...ofImage, ...sharedVariables.settings, ...madeWithSecrets];
  const { variables } = await settingsOf(definition);
  const own = variables.filter((variable) => !elsewhere.includes(variable.name));
  const [calls, others] = [
    own.filter((each) => addresses.has(each.name)),
    own.filter((each) => !addresses.has(each.name)),
  ];
  const held = [...secrets, ...madeWithSecrets.filter((variable) => settings.includes(variable))];
  return `# Settings of ${name}. What is commented out has the default shown, or none and an example.
# The Secret canvass-${name} holds:
${held.map((variable) => `# ${variable}\n`).join("")}
${calls.map((variable) => `${variable.name}=${addresses.get(variable.name)}\n`).join("")}
${others.map(settingLine).join("")}`;
}

function settingLine({ name, description, default: value, example = "", isRequired }: Variable): string {
  return `# ${description}\n${isRequired ? "" : "#"}${name}=${value || example}\n`;
}

/** The variables of a settings.env, commented out or not. */
export function readSettings(name: string): [name: string, value: string][] {
  const lines = readFileSync(settingsPath(name), "utf8").matchAll(/^#?([A-Z][A-Z0-9_]+)=(.+)$/gm);
  return [...lines].map(([, variable, value]) => [variable!, value!]);
}

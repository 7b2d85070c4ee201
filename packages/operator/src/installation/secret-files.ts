import { PROCESSES, serviceNames, variablesOf } from "@canvass/processes";
import type { SystemKeys } from "@canvass/provisioning";
import {
  administratorPassword,
  migrationSecrets,
  natsConfig,
  operatorSecrets,
  passwordNames,
  processSecrets,
} from "./secret-values.ts";
import type { Servers } from "./secret-values.ts";
import type { SecretFile } from "./write-secret-files.ts";

export const installationPasswords: readonly string[] = passwordNames(serviceNames);

export const secretFileNames: readonly string[] = [
  "operator.env",
  ...PROCESSES.map(({ name }) => `${name}.env`),
  ...PROCESSES.filter(({ migrations }) => migrations).map(({ name }) => `${name}-migrations.env`),
];

/** By file name: secrets of each process, of its migrations, of the operator, PostgreSQL and NATS. */
export function secretFiles(keys: SystemKeys, servers: Servers): Record<string, SecretFile> {
  const files: Record<string, SecretFile> = {
    "operator.env": operatorSecrets(keys, servers, serviceNames),
    "postgres-password": administratorPassword(keys),
    "nats.conf": natsConfig(keys),
  };
  for (const definition of PROCESSES) {
    const { secrets, settings } = variablesOf(definition);
    const read = new Set([...secrets, ...settings]);
    const values = processSecrets(keys, servers, definition.migrations ? definition.name : "token");
    files[`${definition.name}.env`] = Object.fromEntries(Object.entries(values).filter(([name]) => read.has(name)));
    if (definition.migrations)
      files[`${definition.name}-migrations.env`] = migrationSecrets(keys, servers, definition.name);
  }
  return files;
}

import { ensureServiceDatabase, OperationalError } from "@canvass/provisioning";
import { defineCommand } from "../define-command.ts";
import {
  RATE_LIMIT_DATABASE,
  databaseOf,
  databasePasswordNames,
  loginOf,
  migratorOf,
  passwordVariable,
} from "../installation/secret-values.ts";

export const installationDatabases = defineCommand({
  words: ["installation", "databases"],
  summary:
    "Create the databases of all services and of the gateways' counts with their roles, on the server at DATABASE_URL; repeatable",
  example: "installation databases",
  options: {},
  async run(_values, { env }) {
    const { serviceNames } = await import("@canvass/processes");
    const wanted = ["DATABASE_URL", ...databasePasswordNames(serviceNames).map(passwordVariable)];
    const missing = wanted.filter((name) => !env[name]);
    if (missing.length > 0) {
      throw new OperationalError(`${missing.join(", ")} missing; "canvass installation secrets" writes operator.env.`);
    }
    const ofServices = serviceNames.map((service) => ({
      name: databaseOf(service),
      role: loginOf(service),
      password: env[passwordVariable(service)]!,
      migratorPassword: env[passwordVariable(migratorOf(service))]!,
    }));
    const ofRateLimits = {
      name: databaseOf(RATE_LIMIT_DATABASE),
      role: loginOf(RATE_LIMIT_DATABASE),
      password: env[passwordVariable(RATE_LIMIT_DATABASE)]!,
      makesTables: true,
    };
    const databases = [...ofServices, ofRateLimits];
    await Promise.all(databases.map((database) => ensureServiceDatabase(env["DATABASE_URL"]!, database)));
    return { databases: databases.map(({ name }) => name) };
  },
});

import type { Launch } from "./launch.ts";
import type { Preparations } from "./preparations.ts";
import type { LaunchedProcess, SystemSettings } from "./process-settings.ts";
import { step } from "./progress.ts";
import type { OnProgress } from "./progress.ts";
import { planNats, planPostgres } from "./server-plans.ts";
import { planService } from "./service-plans.ts";
import type { TlsFiles } from "@canvass/provisioning";

export type Servers = { databaseUrl: string; natsUrl: string };

export async function startServers(
  launch: Launch,
  given: Partial<Servers> & { durable?: boolean },
  tlsFiles: TlsFiles | undefined,
  onProgress: OnProgress,
): Promise<Servers> {
  const postgres = async () => {
    const server = planPostgres(launch.dataDir, launch.ports["postgres"]!, given.durable ?? true);
    await launch.run(server.plan);
    return server.url();
  };
  const onDownload = (what: string) => onProgress({ type: "note", title: "NATS", note: `downloading ${what}` });
  const nats = async () => {
    const password = launch.keys.databasePasswords["nats"]!;
    const server = await planNats(launch.dataDir, launch.ports["nats"]!, password, tlsFiles, onDownload);
    await launch.run(server.plan);
    return server.url();
  };
  const [databaseUrl, natsUrl] = await launch.together([
    given.databaseUrl ? Promise.resolve(given.databaseUrl) : step(onProgress, "PostgreSQL", postgres),
    given.natsUrl ? Promise.resolve(given.natsUrl) : step(onProgress, "NATS", nats),
  ]);
  return { databaseUrl, natsUrl };
}

export async function prepareDatabases(
  launch: Launch,
  processes: readonly LaunchedProcess[],
  adminUrl: string,
  prepare: Preparations["prepareDatabases"],
  onProgress: OnProgress,
): Promise<Map<string, string>> {
  const databases = processes.flatMap(({ name: service, migrations: migrationsDir }) =>
    migrationsDir === undefined ? [] : [{ service, migrationsDir, password: launch.keys.databasePasswords[service]! }],
  );
  if (databases.length === 0) return new Map();
  return step(onProgress, "Databases", async () => {
    const [urls] = await launch.together([prepare(adminUrl, databases)]);
    return urls;
  });
}

export async function startProcesses(
  launch: Launch,
  processes: readonly LaunchedProcess[],
  settings: SystemSettings,
  databaseUrls: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string>>,
  onProgress: OnProgress,
): Promise<void> {
  const start = (definition: LaunchedProcess) =>
    step(onProgress, definition.name, () =>
      launch.run(planService(definition, settings, launch.dataDir, env, databaseUrls.get(definition.name))),
    );
  await launch.together(processes.map(start));
}

import { migrate } from "@canvass/postgres/migrate";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { ensureServiceDatabase } from "@canvass/provisioning";
import { OperationalError, reasonOf } from "@canvass/provisioning/operational-error";
import { join } from "node:path";

export type OwnDatabase = { service: string; password: string; migrationsDir: string };

/** Returns database URLs by service. After a failure, waits for the other databases. */
export async function prepareDatabases(
  adminUrl: string,
  databases: readonly OwnDatabase[],
): Promise<Map<string, string>> {
  const preparing = databases.map(
    async (database) => [database.service, await prepareDatabase(adminUrl, database)] as const,
  );
  await Promise.allSettled(preparing);
  return new Map(await Promise.all(preparing));
}

async function prepareDatabase(adminUrl: string, { service, password, migrationsDir }: OwnDatabase): Promise<string> {
  const name = `canvass_${service}`;
  const database = { name, role: name, password };
  const { url, migrationUrl } = await ensureServiceDatabase(adminUrl, database).catch(explain(""));
  await migrate({ url: migrationUrl, migrationsDir: join(WORKSPACE_ROOT, migrationsDir) }).catch(
    explain(`The database of the ${service} service could not be migrated: `),
  );
  return url;
}

function explain(what: string): (error: unknown) => never {
  return (error) => {
    throw new OperationalError(what + reasonOf(error), { cause: error });
  };
}

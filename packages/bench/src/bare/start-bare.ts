import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { createBareTables } from "./tables.ts";

/** The bare program, with its own database on the system's PostgreSQL. */
export interface Bare extends AsyncDisposable {
  url: string;
  databaseUrl: string;
  pool: Pool;
  pid: number;
}

const program = fileURLToPath(new URL("server.ts", import.meta.url));

/** `adminUrl` names a PostgreSQL user that may create databases. */
export async function startBare(adminUrl: string): Promise<Bare> {
  const admin = new Pool({ connectionString: adminUrl, max: 1 });
  await admin.query("CREATE DATABASE canvass_bench_bare");
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = "/canvass_bench_bare";
  const pool = new Pool({ connectionString: url.href, max: 4 });
  await createBareTables(pool);
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, DATABASE_URL: url.href, NODE_ENV: "production" },
  });
  const [ready] = (await once(child, "message")) as [{ url: string }];
  return {
    url: ready.url,
    databaseUrl: url.href,
    pool,
    pid: child.pid!,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, "exit");
      await pool.end();
    },
  };
}

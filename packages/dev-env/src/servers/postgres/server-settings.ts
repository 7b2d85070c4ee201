import { totalmem } from "node:os";

const MIB = 1024 * 1024;

/** Iterations protect weak passwords. All passwords here are 24 random bytes, and every login would pay for them. */
export const SCRAM_ITERATIONS = "1";

/** Flags also apply to older data directories. Few shared buffers, because a GiB takes 20 MiB to manage at rest. */
export function serverFlags({ port, durable }: { port: number; durable: boolean }): string[] {
  const sharedMib = Math.round(Math.min(256, Math.max(128, totalmem() / MIB / 8)));
  const cacheMib = Math.round(Math.min(3072, Math.max(384, (totalmem() / MIB / 8) * 3)));
  const onOff = durable ? "on" : "off";
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port,
    // Several test systems share a throw-away server.
    max_connections: durable ? 200 : 600,
    password_encryption: "scram-sha-256",
    scram_iterations: SCRAM_ITERATIONS,
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    shared_buffers: `${sharedMib}MB`,
    // WAL buffers stay in memory once they were used.
    wal_buffers: "4MB",
    effective_cache_size: `${cacheMib}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "128MB",
    // PostgreSQL logs whole pages at their first change after a checkpoint.
    wal_compression: "on",
    max_wal_size: "2GB",
    checkpoint_timeout: "10min",
    random_page_cost: "1.1",
    jit: "off",
    idle_in_transaction_session_timeout: "60s",
    // Statistics must follow the growth of new tables, but each round starts six processes for the six databases.
    autovacuum_naptime: "30s",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    log_checkpoints: "off",
    logging_collector: "off",
    log_destination: "stderr",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

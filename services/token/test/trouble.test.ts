import { newTokenValue, tokenSha256 } from "@canvass/access";
import { testEnvironment } from "@canvass/service/testing";
import { createTestDatabase, startSeverableLink, waitFor } from "@canvass/testing";
import { generateKeyPairSync } from "node:crypto";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { readTokenConfig, startTokenService } from "../src/index.ts";
import { codeOf, startTokenSystem, tokenEnvironment } from "./token-system.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

test("without its database the service refuses every call, is not ready, and recovers by itself", async () => {
  await using database = await createTestDatabase(migrations);
  const url = new URL(database.url);
  await using link = await startSeverableLink({ host: url.hostname, port: Number(url.port) });
  url.port = String(link.port);
  await using system = await startTokenSystem({ databaseUrl: url.href });
  const home = await system.createWorkspace();
  const options = await system.as(home.tokenValue);
  const credentials = [{ tokenSha256: tokenSha256(home.tokenValue) }];
  const { tokenId } = home;
  const ready = async () => (await fetch(`${system.opsUrl}/readyz`)).status;
  expect(await ready()).toBe(200);
  await link.cut();
  expect(await codeOf(system.peer.batchAuthenticate({ credentials }))).toBe("service_unavailable");
  expect(await codeOf(system.peer.listTokens({}, options))).toBe("service_unavailable");
  expect(await codeOf(system.peer.getToken({ tokenId }, options))).toBe("service_unavailable");
  expect(await codeOf(system.peer.createToken({ name: "x" }, options))).toBe("service_unavailable");
  expect(await codeOf(system.peer.updateToken({ tokenId, name: "x" }, options))).toBe("service_unavailable");
  expect(await codeOf(system.peer.rotateToken({ tokenId }, options))).toBe("service_unavailable");
  expect(await codeOf(system.peer.revokeToken({ tokenId }, options))).toBe("service_unavailable");
  expect(await ready()).toBe(503);
  await link.repair();
  await waitFor(async () => (await ready()) === 200, { describe: "the service to be ready again" });
  expect(await system.authenticate(home.tokenValue)).toMatchObject({ tokenId });
});

test("writes that wait for a lock do not block authentication", async () => {
  await using system = await startTokenSystem();
  const home = await system.createWorkspace();
  // The service runs two calls of a workspace at once, so three workspaces have enough writes.
  const others = [await system.createWorkspace(), await system.createWorkspace()];
  const callers = await Promise.all([home, ...others].map(({ tokenValue }) => system.as(tokenValue)));
  const holder = await system.pool.connect();
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE api_tokens IN EXCLUSIVE MODE");
  const writes = callers.flatMap((options) =>
    Array.from({ length: 20 }, () => codeOf(system.peer.createToken({ name: "x" }, options))),
  );
  const lockWaiters = () =>
    system.sql(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'canvass-token' AND wait_event_type = 'Lock'",
    );
  // As many as write at once: two connections of that pool are left, and authentication has another pool.
  await waitFor(async () => (await lockWaiters()).length >= 4, { describe: "writes to wait for the lock" });
  expect(await system.authenticate(home.tokenValue)).toMatchObject({ tokenId: home.tokenId });
  await holder.query("COMMIT");
  holder.release();
  expect(new Set(await Promise.all(writes))).toEqual(new Set(["fine"]));
});

test("no secret is logged, for any failure", async () => {
  const lines: string[] = [];
  const log = pino(
    { level: "trace" },
    new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) }),
  );
  await using system = await startTokenSystem({ log });
  const home = await system.createWorkspace();
  const options = await system.as(home.tokenValue);
  const made = await system.peer.createToken({ name: "x" }, options);
  const rotated = await system.peer.rotateToken({ tokenId: made.token!.tokenId }, options);
  await codeOf(system.peer.createToken({ name: "" }, options));
  await system.authenticate(newTokenValue(true));
  // A defect is logged with the database's details.
  await system.sql("ALTER TABLE api_tokens ADD CONSTRAINT nothing_more CHECK (false) NOT VALID");
  expect(await codeOf(system.peer.createToken({ name: "y" }, options))).toBe("internal_error");
  await system.sql("ALTER TABLE api_tokens RENAME COLUMN token_sha256 TO lost");
  expect(await system.authenticate(home.tokenValue).catch((error: Error) => error.message)).not.toMatch(/sha256|lost/);
  const written = lines.join("");
  expect(written).toContain("an RPC failed unexpectedly");
  expect(written).not.toMatch(/cvs_(live|test)_\w{6}|[0-9a-f]{64}|(\d{1,3},\s*){31}\d{1,3}/);
  const { config } = system;
  const values = [home.tokenValue, made.tokenValue, rotated.tokenValue];
  const hashes = values.map((value) => Buffer.from(tokenSha256(value)));
  for (const secret of [
    ...values,
    ...hashes.flatMap((hash) => [hash.toString("hex"), hash.toString("base64"), [...hash].join(",")]),
    config.CANVASS_CALLER_PRIVATE_KEY,
    config.CANVASS_OPERATOR_KEY,
    config.CANVASS_PEER_KEY,
    new Headers(options.headers).get("canvass-caller")!,
    config.DATABASE_URL,
  ]) {
    expect(written).not.toContain(secret);
  }
});

test("unmatched keys and missing variables fail the start", async () => {
  const config = readTokenConfig({ ...testEnvironment(), ...tokenEnvironment });
  const { publicKey } = generateKeyPairSync("ed25519");
  const another = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  await expect(startTokenService({ ...config, CANVASS_CALLER_PUBLIC_KEY: another })).rejects.toThrow(/not a pair/);
  expect(() => readTokenConfig({ CANVASS_RPC_PORT: "0" })).toThrow(/CANVASS_OPERATOR_KEY.*CANVASS_CALLER_PRIVATE_KEY/);
});

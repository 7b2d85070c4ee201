import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAccess } from "../src/profiles/find-access.ts";
import { keepProfile } from "../src/profiles/profiles.ts";

const kept = { url: "http://localhost:1", token: "cvs_live_kept" };
let env: Record<string, string>;
beforeAll(async () => {
  env = { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), "canvass-access-")) };
  await keepProfile(env, "default", kept);
});
afterAll(() => rm(env["XDG_CONFIG_HOME"]!, { recursive: true }));

test.each(["http://localhost:1", "http://localhost:1/", "http://localhost:1/api/v1/"])(
  "CANVASS_URL may be the address of the API, and %s is that of the login",
  async (url) => {
    expect(await findAccess({ ...env, CANVASS_URL: url }, "default")).toMatchObject(kept);
    const given = { ...env, CANVASS_URL: url, CANVASS_TOKEN: "cvs_live_given\n" };
    expect(await findAccess(given, "default")).toMatchObject({ url: kept.url, token: "cvs_live_given" });
  },
);

test("a profile's token is sent to no other URL", async () => {
  const elsewhere = { ...env, CANVASS_URL: "http://localhost:2" };
  await expect(findAccess(elsewhere, "default")).rejects.toThrow("CANVASS_URL is set without CANVASS_TOKEN");
});

test("malformed variables are refused by name, and no token is shown", async () => {
  await expect(findAccess({ ...env, CANVASS_URL: "localhost" }, "default")).rejects.toThrow(
    'CANVASS_URL is "localhost", but it',
  );
  const broken = { ...env, CANVASS_TOKEN: "cvs_live_a\ncvs_live_b" };
  await expect(findAccess(broken, "default")).rejects.toThrow(
    /^CANVASS_TOKEN is empty, or has characters that no token has\.$/,
  );
});

test.each(["constructor", "toString", "__proto__"])("nobody is logged in as %s before a login", async (profile) => {
  await expect(findAccess(env, profile)).rejects.toThrow("Nobody is logged in here");
  await keepProfile(env, profile, kept);
  expect(await findAccess(env, profile)).toMatchObject(kept);
  expect(await findAccess(env, "default")).toMatchObject(kept);
});

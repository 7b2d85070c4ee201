import { OperationalError } from "@canvass/provisioning/operational-error";
import { expect, test } from "vitest";
import { inChild } from "../src/in-child.ts";

test("a failed preparation rejects with its OperationalError", async () => {
  const databases = [{ service: "survey", password: "secret", migrationsDir: "services/survey/prisma/migrations" }];
  const failure = await inChild("prepareDatabases", "postgresql://x:y@127.0.0.1:1/postgres", databases).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(OperationalError);
  expect((failure as Error).message).toMatch(/^The database canvass_survey cannot be set up: /);
});

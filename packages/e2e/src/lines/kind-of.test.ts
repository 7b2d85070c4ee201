import { expect, test } from "vitest";
import { kindOf } from "./kind-of.ts";

test.each([
  ["gateway/src/app.ts", "product"],
  ["services/survey/src/rpc/get-lock.ts", "product"],
  ["services/survey/prisma/schema.prisma", "product"],
  ["packages/respondent-page/src/page/page.css", "product"],
  ["proto/canvass/survey/v1/survey.proto", "product"],
  ["packages/rpc/src/bind.test.ts", "test"],
  ["gateway/src/plugins/responses/etag.nightly.ts", "test"],
  ["gateway/test/start-edge.ts", "test"],
  ["packages/e2e/src/api-client.ts", "test"],
  ["packages/bench/src/main.ts", "test"],
  ["services/survey/prisma/migrations/20260101_first/migration.sql", undefined],
  ["services/survey/README.md", undefined],
  ["vitest.config.ts", undefined],
])("%s counts as %s", (path, kind) => expect(kindOf(path)).toBe(kind));

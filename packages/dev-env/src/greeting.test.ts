import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";

import { greeting } from "./greeting.ts";
import type { LocalState } from "@canvass/operator/local-file";
import type { TokenFault } from "@canvass/operator/token-fault";
import type { TrialLink } from "./trial-link.ts";

const local = {
  baseUrl: "http://127.0.0.1:8080/api/v1",
  publicUrl: "http://127.0.0.1:8080",
  workspaceId: "w1",
  personId: "p1",
  token: "cvs_live_x",
} as LocalState;

const lines = (tokenIsNew: boolean, tokenFault?: TokenFault, dataDir = ".canvass", trial?: TrialLink) =>
  greeting({ local, tokenIsNew, tokenFault }, { dataDir }, 1234, trial).map(stripVTControlCharacters);

test("a new token is shown once; later a line to try finds it", () => {
  expect(lines(true).filter((line) => line.includes("cvs_live_x"))).toHaveLength(2);
  expect(lines(false).join("\n")).not.toContain("cvs_live_x");
  expect(lines(false).join("\n")).toMatch(/Try {4}curl .*local\.json/);
});

test("a link to answer is shown with a line that reads what came of it", () => {
  const trial = { url: "http://127.0.0.1:8080/s/code", surveyId: "s1" };
  const shown = lines(false, undefined, ".canvass", trial).join("\n");
  expect(shown).toMatch(/^ {2}Link {3}http:\/\/127\.0\.0\.1:8080\/s\/code {2}\(/m);
  expect(shown).toMatch(/^ {2}Then {3}curl .*\/response\/surveys\/s1\/aggregation$/m);
});

test.each(["expired", "revoked or rotated"] as const)(
  "a token that is %s is not advertised, but how to get one",
  (fault) => {
    const shown = lines(false, fault);
    expect(shown).toContain(`  Token  ${fault}: issue another with`);
    expect(shown.find((line) => line.includes("canvass token issue"))?.trim()).toBe(
      `npx -y pnpm@12 canvass token issue --workspace w1 --person p1 --name "Another" --scopes full_access,events:write`,
    );
    expect(shown.join("\n")).not.toContain("curl");
  },
);

test("another data directory is named so that a shell understands it", () => {
  expect(lines(false, "expired", "/data/a").join("\n")).toContain("CANVASS_DATA_DIR=/data/a npx");
  expect(lines(false, "expired", "/data/it's").join("\n")).toContain(`CANVASS_DATA_DIR='/data/it'\\''s' npx`);
});

import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { GetLiveSummaryResponseSchema } from "@canvass/proto/response";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GatewayConfig } from "../src/config.ts";
import { countryDatabase } from "./country-database.ts";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

let folder: string;
const networks = { "192.0.2.0/24": "DE", "198.51.100.128/25": "FR" };
const databases = {
  maxmind: countryDatabase(networks, (code) => ({ country: { iso_code: code } })),
  listed: countryDatabase(networks, (code) => ({ country_code: code })),
  broken: Buffer.from("no database"),
};
const fileOf = (name: keyof typeof databases) => join(folder, `${name}.mmdb`);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "canvass-countries-"));
  for (const [name, bytes] of Object.entries(databases)) await writeFile(join(folder, `${name}.mmdb`), bytes);
});
afterAll(() => rm(folder, { recursive: true }));

/** The countries under which respondents start, for each of some headers. */
async function countriesOf(config: Partial<GatewayConfig>, requests: Record<string, string>[]): Promise<string[]> {
  const asked: string[] = [];
  const respondent = { respondentId: "respondent000000", startedAt: timestampFromDate(new Date(0)) };
  const startRespondent = async ({ country }: { country: string }) => {
    asked.push(country);
    return { respondent };
  };
  await using edge = await startEdge({ response: { startRespondent } }, { config });
  for (const headers of requests) {
    const { status } = await edge.call(`/response/surveys/${surveyId}/respondents`, { method: "POST", headers });
    expect(status).toBe(201);
  }
  return asked;
}

describe("a respondent's country", () => {
  test("is taken from a trusted proxy only", async () => {
    const headers: Record<string, string>[] = [
      { "cf-ipcountry": "de" },
      { "cf-ipcountry": "XX" },
      { "cf-ipcountry": "T1" },
      {},
    ];
    const config = { CANVASS_COUNTRY_HEADER: "CF-IPCountry" };
    expect(await countriesOf({ ...config, CANVASS_TRUSTED_PROXIES: "127.0.0.1" }, headers)).toEqual(["DE", "", "", ""]);
    expect(await countriesOf({ ...config, CANVASS_TRUSTED_PROXIES: "203.0.113.1" }, headers)).toEqual(["", "", "", ""]);
    expect(await countriesOf(config, headers)).toEqual(["", "", "", ""]);
  });

  test.each(["maxmind", "listed"] as const)("is that of its address in a local database (%s)", async (name) => {
    const config = { CANVASS_TRUSTED_PROXIES: "127.0.0.1", CANVASS_COUNTRY_DATABASE: fileOf(name) };
    const from = (address: string) => ({ "x-forwarded-for": address });
    const addresses = ["192.0.2.77", "198.51.100.200", "198.51.100.1", "2001:db8::1", "nobody", "::ffff:192.0.2.1"];
    expect(await countriesOf(config, addresses.map(from))).toEqual(["DE", "FR", "", "", "", "DE"]);
    const both = [{ ...from("192.0.2.77"), "x-country": "CH" }];
    expect(await countriesOf({ ...config, CANVASS_COUNTRY_HEADER: "x-country" }, both)).toEqual(["CH"]);
  });

  test("is not that of an IPv4 address with the same bits in a database of IPv4 addresses", async () => {
    const config = { CANVASS_TRUSTED_PROXIES: "127.0.0.1", CANVASS_COUNTRY_DATABASE: fileOf("listed") };
    const from = (address: string) => ({ "x-forwarded-for": address });
    // The first 32 bits are those of 192.0.2.1 and 198.51.100.200.
    expect(await countriesOf(config, [from("c000:201::1"), from("c633:64c8::1")])).toEqual(["", ""]);
  });

  test("needs a database that can be read", async () => {
    for (const path of [fileOf("broken"), join(folder, "absent")]) {
      const started = startEdge({}, { config: { CANVASS_COUNTRY_DATABASE: path } });
      await expect(started).rejects.toThrow(/^CANVASS_COUNTRY_DATABASE /);
    }
  });
});

test("live activity is visible to any token", async () => {
  const answer = create(GetLiveSummaryResponseSchema, {
    startedSinceMidnight: 3n,
    active: 1n,
    byCountry: [
      { countryCode: "DE", count: 2n },
      { countryCode: "ZZ", count: 1n },
    ],
  });
  await using edge = await startEdge({ response: { getLiveSummary: async () => answer } });
  const { value: token } = edge.services.issueToken(["audit:read"]);
  const { status, body } = await edge.call("/respondent-activity/live-summary", { token });
  expect([status, body.data]).toEqual([
    200,
    {
      since_midnight_total: 3,
      currently_active: 1,
      by_country: [
        { country_code: "DE", count: 2 },
        { country_code: "ZZ", count: 1 },
      ],
    },
  ]);
});

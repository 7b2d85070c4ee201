import { isCountryCode } from "@canvass/values";
import type { FastifyRequest } from "fastify";
import { Reader, type CountryResponse } from "mmdb-lib";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { clientAddress } from "./client-address.ts";
import { proxyMatcher } from "./trusted-proxies.ts";

/** Returns the country that a request comes from, as ISO 3166-1 alpha-2, or "" if unknown. */
export type CountryLookup = (request: Pick<FastifyRequest, "ip" | "headers" | "socket">) => string;

interface CountrySettings {
  CANVASS_TRUSTED_PROXIES?: string;
  CANVASS_COUNTRY_HEADER?: string;
  CANVASS_COUNTRY_DATABASE?: string;
}

interface CountryRecord {
  country?: { iso_code?: string };
  country_code?: string;
}

/** Codes that proxies send for an unknown country. */
const unknown = new Set(["XX", "ZZ"]);

/** Finds countries by a header of a trusted proxy, else in a local MMDB file. Throws when it cannot read the file. */
export async function createCountryLookup(config: CountrySettings): Promise<CountryLookup> {
  const { CANVASS_TRUSTED_PROXIES: proxies, CANVASS_COUNTRY_DATABASE: path } = config;
  const header = config.CANVASS_COUNTRY_HEADER?.toLowerCase();
  const isTrusted = proxies === undefined ? () => false : proxyMatcher(proxies);
  const database = path === undefined ? undefined : await openDatabase(path);
  const named = ({ headers, socket }: Parameters<CountryLookup>[0]) =>
    header !== undefined && isTrusted(socket.remoteAddress ?? "") ? headers[header] : undefined;
  const listed = (request: Parameters<CountryLookup>[0]) => {
    const address = clientAddress(request);
    const record: CountryRecord | null = database && holdsVersionOf(address, database) ? database.get(address) : null;
    return record?.country?.iso_code ?? record?.country_code;
  };
  return (request) => countryCode(named(request)) || countryCode(listed(request));
}

/** A database of IPv4 addresses would be searched with the first 32 bits of an IPv6 address. */
function holdsVersionOf(address: string, { metadata }: Reader<CountryResponse>): boolean {
  const version = isIP(address);
  return version === 4 || (version === 6 && metadata.ipVersion === 6);
}

function countryCode(value: unknown): string {
  const code = typeof value === "string" ? value.toUpperCase() : "";
  return isCountryCode(code) && !unknown.has(code) ? code : "";
}

async function openDatabase(path: string): Promise<Reader<CountryResponse>> {
  try {
    return new Reader<CountryResponse>(await readFile(path));
  } catch (cause) {
    throw new Error("CANVASS_COUNTRY_DATABASE names no file that can be read as MMDB", { cause });
  }
}

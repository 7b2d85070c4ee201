import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Profile } from "../profiles/profiles.ts";

/** Sends messages to the tools of an installation (contract 12.1). */
export function httpTransport({ url, token }: Profile): StreamableHTTPClientTransport {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return new StreamableHTTPClientTransport(new URL(`${url.replace(/\/+$/, "")}/mcp`), { requestInit });
}

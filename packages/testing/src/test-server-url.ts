import { inject } from "vitest";

const urls = new Map<string, Promise<string>>();

/** URL of a shared server of this run, which the global setup starts on first use. */
export async function testServerUrl(name: string): Promise<string> {
  const known = urls.get(name) ?? ask(name);
  urls.set(name, known);
  return known;
}

async function ask(name: string): Promise<string> {
  const response = await fetch(`${inject("testServerDoor")}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`the test server ${name} did not start: ${text}`);
  return text;
}

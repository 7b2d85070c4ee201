import { inject } from "vitest";

const urls = new Map<string, Promise<string>>();

/** The address of a server of this test run, started by the global set-up when the first test file asks for it. */
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

import type { System } from "@canvass/dev-env";
import { startSecondProcess } from "../src/second-process.ts";

export interface SecondGateway extends AsyncDisposable {
  baseUrl: string;
}

/** Starts a second gateway for the same services. */
export async function startSecondGateway(system: System): Promise<SecondGateway> {
  const gateway = await startSecondProcess(system, "gateway");
  const baseUrl = `http://127.0.0.1:${gateway.port}/api/v1`;
  return { baseUrl, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

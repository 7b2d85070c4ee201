import type { ServiceName } from "@canvass/processes";
import type { ApiClient, VerifyingReceiver } from "../../src/index.ts";
import type { Databases } from "../databases.ts";

export interface KeyedWrite {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Another body, which the operation would refuse with a new key. */
  invalidBody: unknown;
  /** Whether the background work has ended. */
  settled?: () => Promise<boolean>;
  /** How often the write happened, by each place that shows it. */
  effects: () => Promise<Record<string, number>>;
}

export interface KeyedOperation {
  name: string;
  /** The service whose database holds the data and keys. */
  service: ServiceName;
  /** Creates what the write needs, so that the counted effects are its own. */
  prepare: (system: KeyedSystem) => Promise<KeyedWrite>;
}

export interface KeyedSystem {
  api: ApiClient;
  databases: Databases;
  receiver: VerifyingReceiver;
}
